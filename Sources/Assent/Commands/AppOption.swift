import Consent
import Store

/// The option `--app` of commands that may do without one.
struct AppOption: Sendable {
    /// Nil where the option was not given.
    let id: AppID?

    static let form = "--app must be 1 to 64 of a-z, 0-9 and '-'"
}

extension Invocation {
    /// The app named by `--app`, if any; nil where what was given is no app id.
    var app: AppOption? {
        guard let text = value("app") else { return AppOption(id: nil) }
        return AppID(text).map { AppOption(id: $0) }
    }

    /// Says what is wrong with the command line, where its help is, and gives the exit code for it.
    func complain(_ sentence: String, _ surroundings: Surroundings) -> ExitCode {
        surroundings.console.complain("assent: \(sentence)\nSee '\(command.spelling) --help'.")
        return .usage
    }
}

extension Store {
    /// Fails with a sentence for a terminal where there is no such app.
    func require(_ app: AppID) async throws(StartFailure) {
        guard try await look({ store throws(StoreFailure) in try await store.app(app) }) != nil else {
            throw .failed("there is no app '\(app.text)'")
        }
    }
}
