/// What a command finds around it: the environment it may read settings from, and where it writes.
struct Surroundings: Sendable {
    /// Environment variables by name.
    let environment: [String: String]
    let console: any Console
    /// SIGTERM, SIGINT and SIGHUP, for a command that wants to end in order.
    let signals: SignalInbox
}
