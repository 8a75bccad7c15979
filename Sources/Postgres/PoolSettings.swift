/// How a pool of connection threads works.
package struct PoolSettings: Sendable {
    package var connection: ConnectionSettings
    /// Name of its threads and in what it reports.
    package var name: String
    /// Connections, each on a thread of its own.
    package var threads: Int
    /// Threads that will run turns; up to half of the connections are lent to them, as they come.
    package var turning = 0
    /// How long items wait on a thread that runs turns, behind a batch in the air, before the pool's threads get them.
    package var turnPatience: Duration = .milliseconds(20)
    package var limits = MailboxLimits()
    /// How often a batch is run again after the server asked for it (serialization, deadlock, lock timeout).
    package var retries = 4
    /// How often a batch may lose its connection before it is taken for the cause.
    package var losses = 3
    /// How long to ask for the fate of a commit whose answer was lost.
    package var outcomeLimit: Duration = .seconds(10)

    /// How many connections the pool's own threads leave to those that run turns.
    var lent: Int { max(0, min(turning, threads / 2)) }

    package init(_ connection: ConnectionSettings, name: String, threads: Int) {
        self.connection = connection
        self.name = name
        self.threads = threads
    }
}
