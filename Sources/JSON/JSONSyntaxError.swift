/// Why a body could not be read as JSON at all; nothing of the body itself is repeated in it.
package struct JSONSyntaxError: Error, Equatable, Sendable {
    /// What is wrong, as far as the reader can tell kinds apart.
    package enum Reason: Equatable, Sendable {
        /// No bytes, or nothing but blanks.
        case empty
        /// The body starts with a UTF-8 byte order mark, which RFC 8259 forbids senders to add.
        case byteOrderMark
        /// More arrays and objects inside one another than the given maximum.
        case tooDeep(maximum: Int)
        /// An object names one member twice; readers disagree about which of the two counts.
        case duplicateKey
        /// U+0000, raw or escaped, which the database cannot store.
        case nullCharacter
        /// An integer outside 64 bits or a fraction outside the range of a double.
        case numberOutOfRange
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// The body ends in the middle of a value.
        case incomplete
        /// A complete value is followed by something else.
        case trailingContent
        /// Anything else RFC 8259 does not allow.
        case malformed
    }

    package let reason: Reason
    /// Where the reader stopped, in bytes from the start of the body; `nil` where no place is to blame.
    package let offset: Int?

    package init(_ reason: Reason, at offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }

    /// One plain English sentence for the caller.
    package var detail: String {
        let place = offset.map { ", near byte \($0)" } ?? ""
        return "\(sentence)\(place)."
    }

    private var sentence: String {
        switch reason {
        case .empty: "The body is empty; a JSON object was expected"
        case .byteOrderMark: "The body starts with a byte order mark"
        case .tooDeep(let maximum): "The body nests more than \(maximum) arrays and objects"
        case .duplicateKey: "An object names the same member twice"
        case .nullCharacter: "The body contains the character U+0000"
        case .numberOutOfRange: "A number is out of range"
        case .invalidUTF8: "The body is not valid UTF-8"
        case .incomplete: "The body ends before its JSON value does"
        case .trailingContent: "The JSON value is followed by something else"
        case .malformed: "The body is not valid JSON"
        }
    }
}
