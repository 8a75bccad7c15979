/// Why the server or a command does not get going: a sentence for the operator, and the exit code that fits.
struct StartFailure: Error, Sendable {
    let sentence: String
    let exitCode: ExitCode

    /// The configuration is at fault: nothing was tried.
    static func configuration(_ sentence: String) -> StartFailure {
        StartFailure(sentence: sentence, exitCode: .usage)
    }

    /// It was tried and did not work.
    static func failed(_ sentence: String) -> StartFailure {
        StartFailure(sentence: sentence, exitCode: .failure)
    }
}
