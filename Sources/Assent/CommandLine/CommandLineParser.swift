/// Reads the words after `assent` against a list of commands.
///
/// Flags are `--name value` or `--name=value`; switches stand alone; `--` ends the flags. Nothing is abbreviated, nothing
/// unknown is passed over, and `--help` wins over any other fault.
struct CommandLineParser: Sendable {
    enum Result: Sendable {
        case run(Invocation)
        /// Help for everything, for a group such as `key`, or for one command, by the words that name it.
        case help([String])
        /// `fault`, and the words whose help explains it.
        case fault(UsageFault, [String])
    }

    let commands: [Subcommand]

    func parse(_ arguments: [String]) -> Result {
        guard let first = arguments.first else { return .help([]) }
        if first == "--help" || first == "-h" { return .help([]) }
        if first == "help" { return help(about: Array(arguments.dropFirst())) }
        if first == "--version" { return parse(["version"]) }
        guard let command = command(in: arguments) else { return withoutCommand(arguments) }
        let rest = Array(arguments.dropFirst(command.path.count))
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return .help(command.path)
        }
        do {
            return .run(try Self.invocation(of: command, rest))
        } catch {
            return .fault(error, command.path)
        }
    }

    /// `assent help key create` and `assent help key` are what `--help` after those words is.
    private func help(about words: [String]) -> Result {
        if words.isEmpty || commands.contains(where: { $0.path.starts(with: words) }) { return .help(words) }
        return parse(words + ["--help"])
    }

    private func command(in arguments: [String]) -> Subcommand? {
        commands.first { arguments.starts(with: $0.path) }
    }

    /// What to say when the first words name no command: they may name a group, or help, or nothing.
    private func withoutCommand(_ arguments: [String]) -> Result {
        let first = arguments[0]
        let members = commands.filter { $0.path.count > 1 && $0.path[0] == first }.map { $0.path[1] }
        if members.isEmpty {
            if first.hasPrefix("-") { return .fault(.unknownFlag(first, near: ["--help"]), []) }
            let known = Set(commands.map { $0.path[0] })
            return .fault(.unknownCommand(first, near: Spelling.near(first, among: known.sorted())), [])
        }
        guard arguments.count > 1 else { return .fault(.missingSubcommand(group: first, of: members), [first]) }
        let second = arguments[1]
        if second == "--help" || second == "-h" { return .help([first]) }
        if second.hasPrefix("-") { return .fault(.missingSubcommand(group: first, of: members), [first]) }
        let near = Spelling.near(second, among: members).map { "\(first) \($0)" }
        return .fault(.unknownCommand("\(first) \(second)", near: near), [first])
    }

    private static func invocation(of command: Subcommand, _ words: [String]) throws(UsageFault) -> Invocation {
        var reader = FlagReader(command: command)
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                reader.operands += rest
                break
            }
            if word.hasPrefix("-"), word != "-" {
                try reader.flag(word, next: &rest)
            } else {
                reader.operands.append(word)
            }
        }
        return try reader.finish()
    }
}
