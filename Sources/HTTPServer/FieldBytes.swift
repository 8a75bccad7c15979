/// The byte classes of RFC 9110 §5, which all checks of names and values share.
extension UInt8 {
    /// `tchar`: what methods and header names are made of.
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// What a header's value may hold: no control bytes but the tab.
    var isFieldByte: Bool { (self >= 0x20 && self != 0x7F) || self == 0x09 }

    var isBlank: Bool { self == 0x20 || self == 0x09 }

    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// ASCII letters in lower case, every other byte as it is.
    var lowered: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension Collection where Element == UInt8 {
    /// Equality of bytes, ASCII letters in either case.
    func equalsIgnoringCase(_ other: StaticString) -> Bool {
        other.withUTF8Buffer { other in
            count == other.count && zip(self, other).allSatisfy { $0.lowered == $1.lowered }
        }
    }
}
