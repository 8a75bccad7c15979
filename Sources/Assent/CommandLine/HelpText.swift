/// What `--help` prints, made from the tables of commands and settings so that it cannot differ from them.
struct HelpText: Sendable {
    let commands: [Subcommand]

    /// Help for the words given: none is the overview, a group lists its commands, a command explains itself.
    func text(for path: [String]) -> String {
        if let command = commands.first(where: { $0.path == path }) { return Self.text(for: command) }
        let members = path.isEmpty ? commands : commands.filter { $0.path.starts(with: path) }
        var lines: [String] = []
        if path.isEmpty {
            lines += ["assent asks guardians, waits, decides, remembers and tells.", ""]
        }
        lines += ["Usage: \((["assent"] + path).joined(separator: " ")) <command> [flags]", "", "Commands:"]
        lines += Self.columns(members.map { ($0.path.joined(separator: " "), $0.summary) })
        lines += ["", "'assent <command> --help' explains one of them."]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(for command: Subcommand) -> String {
        let operands = command.operands.map { " <\($0)>" }.joined()
        let required = command.options.filter(\.required).map { " --\($0.name) <\($0.valueName ?? "")>" }.joined()
        let flags = command.options.isEmpty && command.settings.isEmpty ? "" : " [flags]"
        var lines = ["\(command.summary)", "", "Usage: \(command.spelling)\(operands)\(required)\(flags)"]
        if !command.details.isEmpty { lines += ["", command.details] }
        if !command.options.isEmpty {
            lines += ["", "Flags:"]
            lines += columns(command.options.map { (spelled($0.name, $0.valueName), $0.summary) })
        }
        for group in Setting.Group.allCases {
            let members = command.settings.filter { $0.group == group }
            if members.isEmpty { continue }
            lines += ["", "\(group.rawValue):"]
            lines += columns(
                members.map { ($0.isFlag ? spelled($0.name, $0.valueName) : $0.environment, explained($0)) })
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func spelled(_ name: String, _ valueName: String?) -> String {
        "--\(name)" + (valueName.map { " <\($0)>" } ?? "")
    }

    private static func explained(_ setting: Setting) -> String {
        let standard = setting.defaultText.isEmpty ? "" : ", default \(setting.defaultText)"
        return "\(setting.summary) [\(setting.environment)\(standard)]"
    }

    /// Two columns, the second wrapped at 110 characters.
    private static func columns(_ rows: [(String, String)]) -> [String] {
        let width = min(30, rows.map(\.0.count).max() ?? 0) + 4
        return rows.flatMap { left, right in
            var lines: [String] = []
            var line = "  " + left
            if line.count > width - 2 {
                lines.append(line)
                line = ""
            }
            line += String(repeating: " ", count: width - line.count)
            var length = width
            for word in right.split(separator: " ") {
                if length + word.count > 110, length > width {
                    lines.append(line)
                    line = String(repeating: " ", count: width)
                    length = width
                }
                if length > width { line += " " }
                line += word
                length = line.count
            }
            lines.append(line)
            return lines
        }
    }
}
