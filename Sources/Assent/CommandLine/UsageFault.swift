/// What is wrong with a command line; the process exits 2 on any of them.
enum UsageFault: Error, Sendable, Hashable {
    /// `near`: known commands spelled almost like it.
    case unknownCommand(String, near: [String])
    /// A group such as `key` without one of its commands.
    case missingSubcommand(group: String, of: [String])
    case unknownFlag(String, near: [String])
    case missingValue(flag: String)
    /// `--embedded=yes`: a switch takes no value.
    case unexpectedValue(flag: String)
    case repeated(flag: String)
    case missingOption(flag: String)
    case missingOperand(String)
    case extraOperand(String)

    /// One sentence for a person at a terminal.
    var sentence: String {
        switch self {
        case .unknownCommand(let word, let near): "unknown command '\(word)'" + Self.hint(near)
        case .missingSubcommand(let group, let commands):
            "'\(group)' needs one of: \(commands.joined(separator: ", "))"
        case .unknownFlag(let flag, let near): "unknown flag '\(flag)'" + Self.hint(near)
        case .missingValue(let flag): "'\(flag)' needs a value"
        case .unexpectedValue(let flag): "'\(flag)' takes no value"
        case .repeated(let flag): "'\(flag)' was given more than once"
        case .missingOption(let flag): "'\(flag)' is required"
        case .missingOperand(let name): "<\(name)> is missing"
        case .extraOperand(let word): "unexpected argument '\(word)'"
        }
    }

    private static func hint(_ near: [String]) -> String {
        near.isEmpty ? "" : "; did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
    }
}
