/// Where a value stands in its body; rendered as an RFC 6901 pointer only when something is wrong there.
///
/// A step costs no allocation: the steps above are shared by all members of one object or elements of one array.
struct FieldPath {
    enum Step {
        case root
        case member(StaticString)
        /// A member whose name the body chose.
        case entry(String)
        case element(Int)
    }

    /// The steps that lead to an object or array, boxed once for everything in it.
    indirect enum Container {
        case none
        case at(FieldPath)
    }

    private let container: Container
    private let step: Step

    /// The body itself.
    init() {
        container = .none
        step = .root
    }

    init(_ container: Container, _ step: Step) {
        self.container = container
        self.step = step
    }

    var pointer: String {
        let prefix =
            switch container {
            case .none: ""
            case .at(let path): path.pointer
            }
        return switch step {
        case .root: prefix
        case .member(let name): prefix + "/" + Self.escaped(name.description)
        case .entry(let name): prefix + "/" + Self.escaped(name)
        case .element(let index): prefix + "/\(index)"
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
