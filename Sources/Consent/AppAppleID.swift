/// An app's numeric App Store id, as text: ids do not survive JavaScript's numbers.
package enum AppAppleID {
    /// Whether a text is a positive 64-bit number in digits without a leading zero.
    package static func isValid(_ text: String) -> Bool {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        return text.utf8.first != 0x30 && Int64(text) != nil
    }
}
