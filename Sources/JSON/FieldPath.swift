/// Where a value stands in its body; rendered as an RFC 6901 pointer only when something is wrong there.
indirect enum FieldPath {
    case root
    case member(FieldPath, StaticString)
    /// A member whose name the body chose.
    case entry(FieldPath, String)
    case element(FieldPath, Int)

    var pointer: String {
        switch self {
        case .root: ""
        case .member(let parent, let name): parent.pointer + "/" + Self.escaped(name.description)
        case .entry(let parent, let name): parent.pointer + "/" + Self.escaped(name)
        case .element(let parent, let index): parent.pointer + "/\(index)"
        }
    }

    /// RFC 6901 §3: `~` is written `~0` and `/` is written `~1`. Works on bytes: "/" before a combining mark is one
    /// Character that is not equal to "/".
    private static func escaped(_ name: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "~"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "0")]
            case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
