#if canImport(Glibc)
    import Glibc
#endif
import FoundationEssentials

/// The process: the main thread blocks the ending signals, starts the program as a task and then only takes signals.
@main
enum Main {
    static func main() {
        SignalInbox.block()
        let signals = SignalInbox()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let surroundings = Surroundings(
            environment: ProcessInfo.processInfo.environment, console: Terminal(), signals: signals)
        Task.detached {
            let code = await Program().run(arguments, in: surroundings)
            exit(code.rawValue)
        }
        signals.serve()
    }
}
