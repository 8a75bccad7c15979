package import Consent
import Glibc
package import Postgres

/// Everything that is kept: commands go in and are answered after their commit, questions are answered by batched reads.
///
/// Any thread or task may call it; the two pools own the connections.
package final class Store: StoreWriting {
    /// How many connections there are and how much may wait for them.
    package struct Settings: Sendable {
        package var connection: ConnectionSettings
        package var writers = 4
        package var readers = 4
        /// Threads that will run turns; up to half of the readers' connections are theirs.
        package var loops = 0
        /// Batches of one app that may be written at once: while one waits for its commit the next is decided. More would
        /// only make them smaller, since the log takes an app's commits one after the other.
        package var writeBatchesPerApp = 2
        /// Batches of one app that may be read at once; more are quicker only where there are cores for them.
        package var readBatchesPerApp = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)
        /// Commands of an app that must wait for another batch to be written beside one in hand: on few cores two small
        /// batches at once are slower than one after the other.
        package var writesBeside = 24
        /// The same of reads, which wait for no disk.
        package var readsBeside = 40
        /// How long what waits for a busy app gathers before the next batch is written.
        package var gathering: Duration = .milliseconds(4)
        /// And how long after the last that came.
        package var gatheringPause: Duration = .microseconds(500)
        /// Commands of an app that are worth a batch at once.
        package var gatheringCount = 24
        /// After so many batches of an app in which all persons were new the next is expected to be like them; 0 always expects it.
        package var newcomersAfter = 4
        /// Commands that may wait; past it they are refused at once.
        package var writeQueue = 8_192
        /// Reads that may wait; past it they are refused at once.
        package var readQueue = 16_384
        /// How long a request waits that named no deadline of its own.
        package var patience: Duration = .seconds(20)

        package init(_ connection: ConnectionSettings) {
            self.connection = connection
        }
    }

    let reader: ReaderPool<QueryHandler>
    private let writer: WriterPool<CommandHandler>
    private let patience: Duration

    /// Starts connecting at once; `observe` is told what each of the two pools ("write", "read") reports, `expires` the
    /// earliest expiration among the questions that a batch created, `withdraws` that one withdrew a change, `logs` the app to
    /// whose log a batch added; all after the commit, on the pools' threads.
    package init(
        _ settings: Settings, observe: @escaping @Sendable (_ pool: String, PoolObservation) -> Void = { _, _ in },
        expires: @escaping @Sendable (Instant) -> Void = { _ in }, withdraws: @escaping @Sendable () -> Void = {},
        logs: @escaping @Sendable (AppID) -> Void = { _ in }
    ) {
        patience = settings.patience
        var connection = settings.connection
        // Every statement here is meant for an index; a plan made while a table was small must not outlive its growth.
        connection.indexPlansOnly = true
        var writing = PoolSettings(connection, name: "write", threads: settings.writers)
        writing.limits.capacity = settings.writeQueue
        writing.limits.lowBatchCount = 96
        writing.limits.laneConcurrency = settings.writeBatchesPerApp
        writing.limits.besideCount = settings.writesBeside
        writing.limits.gathering = settings.gathering
        writing.limits.gatheringPause = settings.gatheringPause
        writing.limits.gatheringCount = settings.gatheringCount
        writing.limits.yields = 2
        writing.limits.laneCapacity = settings.writeQueue / 2
        let handler = CommandHandler(
            forecast: NewcomerForecast(after: settings.newcomersAfter), expires: expires, withdraws: withdraws,
            logs: logs)
        writer = WriterPool(writing, handler: handler) { observe("write", $0) }
        connection.looksBeforeSleeping = 10
        var reading = PoolSettings(connection, name: "read", threads: settings.readers)
        reading.turning = settings.loops
        reading.limits.capacity = settings.readQueue
        reading.limits.laneCapacity = settings.readQueue / 2
        reading.limits.laneConcurrency = settings.readBatchesPerApp
        reading.limits.besideCount = settings.readsBeside
        reading.limits.yields = 2
        reader = ReaderPool(reading, handler: QueryHandler()) { observe("read", $0) }
    }

    package func submit(_ submission: Submission) async throws(StoreFailure) -> Reply {
        let isBackground = submission.command.isBackground
        let lane = isBackground ? submission.app.text + Self.aside : submission.app.text
        let deadline = MonotonicTime.now + (submission.patience ?? patience)
        let item = PendingCommand(submission)
        let answer = await item.answer {
            writer.submit(
                item, lane: lane, cost: submission.command.cost, priority: isBackground ? .low : .normal,
                deadline: deadline)
        } takeBack: { [writer] in
            writer.cancel($0) != nil
        }
        return try answer.get()
    }

    /// Marks a lane of its own for work that others of the app must not wait behind; no app's id holds it.
    private static var aside: String { "#" }

    /// The turns of the calling thread, which reads itself what its handlers ask for, as long as all goes well.
    package func turn() -> Turn { reader.turn() }

    func read(_ query: Query, lane: String) async throws(StoreFailure) -> QueryResult {
        let deadline = MonotonicTime.now + patience
        let isLong = query.isLong
        let lane = isLong ? lane + Self.aside : lane
        let item = PendingQuery(query)
        let answer = await item.answer {
            reader.submit(
                item, lane: lane, cost: query.cost, priority: isLong ? .low : .normal, deadline: deadline,
                inTurn: query.isQuick)
        } takeBack: { [reader] in
            reader.cancel($0) != nil
        }
        return try answer.get()
    }

    /// Whether both reading and writing could start now.
    package var isConnected: Bool { writer.isConnected && reader.isConnected }

    /// Commands that wait.
    package var writeDepth: Int { writer.depth }

    /// Reads that wait.
    package var readDepth: Int { reader.depth }

    /// Takes nothing more, finishes what waits within the limit and closes the connections.
    package func stop(within limit: Duration) async {
        await writer.stop(within: limit)
        await reader.stop(within: limit)
    }
}

extension Command {
    /// Work that nobody waits for yields to work that somebody does.
    fileprivate var isBackground: Bool {
        switch self {
        case .expire, .remind, .prune, .cancelWithdrawn, .closeWithdrawal, .webhook(.record): true
        case .ask, .askAll, .answer, .answerMany, .cancel, .putPerson, .link, .unlink, .acknowledge, .rescind,
            .reinstate, .erase, .putChange, .withdrawChange, .observeAgeRating, .receive, .register, .attribute,
            .putApp, .createKey, .revokeKey, .keepTicket, .useTicket, .webhook:
            false
        }
    }

    /// A rough size in bytes, for the bound on a batch.
    fileprivate var cost: Int {
        switch self {
        case .ask(let request): 512 + (request.description?.utf8.count ?? 0)
        // A question for each of the app's changes, of which there are some.
        case .askAll: 8_192
        case .answerMany(_, let items): 256 + 512 * items.count
        case .putChange(_, let settings, _):
            512 + settings.descriptions.reduce(0) { $0 + $1.text.utf8.count + $1.language.utf8.count }
        case .webhook(.record(let reports)): 512 * reports.count
        case .receive(let notice): 1_024 + notice.payload.count
        case .answer, .cancel, .expire, .remind, .putPerson, .link, .unlink, .acknowledge, .rescind, .reinstate, .erase,
            .observeAgeRating, .putApp, .createKey, .revokeKey, .withdrawChange, .cancelWithdrawn, .closeWithdrawal,
            .register, .attribute, .keepTicket, .useTicket, .webhook:
            512
        case .prune(.questions(let ids, _)): 512 + 64 * ids.count
        case .prune: 512
        }
    }
}
