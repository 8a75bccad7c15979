/// One thing `assent` can be told to do: how it is written, what it takes, and what runs.
struct Subcommand: Sendable {
    /// The words that name it, such as `key create`.
    let path: [String]
    /// One line, for the list of commands.
    let summary: String
    /// What else help says, below the usage line.
    let details: String
    /// Names of what must follow, in order, such as `id`.
    let operands: [String]
    let options: [Option]
    /// The settings it reads; each is a flag too.
    let settings: [Setting]
    /// Does the work; the value is the process's exit code.
    let run: @Sendable (Invocation, Surroundings) async -> ExitCode

    init(
        _ path: String..., summary: String, details: String = "", operands: [String] = [], options: [Option] = [],
        settings: [Setting] = [], run: @escaping @Sendable (Invocation, Surroundings) async -> ExitCode
    ) {
        self.path = path
        self.summary = summary
        self.details = details
        self.operands = operands
        self.options = options
        self.settings = settings
        self.run = run
    }

    /// As a person types it: `assent key create`.
    var spelling: String { (["assent"] + path).joined(separator: " ") }
}
