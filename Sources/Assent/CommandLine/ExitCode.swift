/// What the process tells the shell.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// It was tried and did not work, or a check found something.
    case failure = 1
    /// The command line or the configuration is wrong; nothing was tried.
    case usage = 2
    /// A signal ended a command that does not handle signals (128 + SIGINT).
    case interrupted = 130
}
