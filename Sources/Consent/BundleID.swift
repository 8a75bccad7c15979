/// An app's id at the vendor's, such as `com.example.reader`.
package enum BundleID {
    /// Whether a text is 1 to 155 bytes of letters, digits, `-` and `_` in parts that dots separate, none of them
    /// empty.
    package static func isValid(_ text: String) -> Bool {
        guard (1...155).contains(text.utf8.count) else { return false }
        var partIsEmpty = true
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: partIsEmpty = false
            case 0x2e where !partIsEmpty: partIsEmpty = true
            default: return false
            }
        }
        return !partIsEmpty
    }
}
