/// The whole program as a function of its arguments and surroundings.
struct Program: Sendable {
    let commands: [Subcommand]

    init(commands: [Subcommand] = Program.commands) {
        self.commands = commands
    }

    /// - Parameter arguments: the words after the program's own name.
    func run(_ arguments: [String], in surroundings: Surroundings) async -> ExitCode {
        let help = HelpText(commands: commands)
        switch CommandLineParser(commands: commands).parse(arguments) {
        case .run(let invocation):
            return await invocation.command.run(invocation, surroundings)
        case .help(let path):
            surroundings.console.say(help.text(for: path))
            return .success
        case .fault(let fault, let path):
            let spelling = (["assent"] + path).joined(separator: " ")
            surroundings.console.complain("assent: \(fault.sentence)\nSee '\(spelling) --help'.")
            return .usage
        }
    }

    /// Every command there is, in the order help lists them.
    static let commands: [Subcommand] = [
        .serve, .migrate, .appCreate, .appList, .keyCreate, .keyList, .keyRevoke, .feedRenew, .signingKeyRotate,
        .signingKeyList,
        .appStoreImport, .appStoreVerify, .playStoreImport, .doctor, .version,
    ]
}
