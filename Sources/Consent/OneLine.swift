/// Text of one line, kept as it came: an id, a name, a label, a feature, a method.
package enum OneLine {
    /// Whether a text has so many bytes of UTF-8 and no control character (C0, DEL and C1).
    package static func isValid(_ text: String, bytes: ClosedRange<Int>) -> Bool {
        bytes.contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
    }
}
