import Glibc

/// What is done within a thread's turns. All of it is called on that thread, `beginTurn` and `endTurn` within each turn.
protocol TurnWork: AnyObject {
    /// The turn begins: takes in what has come.
    func beginTurn()
    /// Everything that the turn handed in is there.
    func endTurn()
    /// There are no more turns.
    func finish()
    /// What becomes readable when there is something to take in; negative when there is nothing to wait for.
    var descriptor: Int32 { get }
    /// When the next turn has to come even so.
    var limit: MonotonicTime { get }
}

/// The turns of one thread that has other things to do than wait for the database. What is handed in during a turn is read by the
/// thread itself where it has a connection for that; the pools' threads are woken for the rest when the turn is over, once for
/// all of it, when it can be taken as one batch, instead of at the first item.
///
/// Belongs to its thread.
package final class Turn {
    /// Where a thread finds the turn it is in.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    let work: (any TurnWork)?
    private var waiting: [Monitor.Condition] = []

    /// Without work of its own it gathers whom to wake.
    init(_ work: (any TurnWork)? = nil) {
        self.work = work
    }

    /// The one that the calling thread is in.
    static var current: Turn? {
        guard let key, let turn = pthread_getspecific(key) else { return nil }
        // A pointer to what runs on this very thread, set and taken away by `run`.
        return Unmanaged<Turn>.fromOpaque(turn).takeUnretainedValue()
    }

    /// Runs `body` on the calling thread. A pool's thread that is awake may take what `body` hands in before that.
    package func run(_ body: () -> Void) {
        guard let key = Self.key else { return body() }
        pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
        work?.beginTurn()
        body()
        work?.endTurn()
        pthread_setspecific(key, nil)
        for condition in waiting { condition.signal() }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Readable when the next turn has something to take in; negative when there is nothing to wait for.
    package var descriptor: Int32 { work?.descriptor ?? -1 }

    /// In how many milliseconds the next turn has to come at the latest; negative when it need not.
    package var patience: Int32 { work?.limit.pollTimeout ?? -1 }

    /// There are no more turns: what is still being read goes to the pools' threads.
    package func end() { work?.finish() }

    /// Wakes one that waits, at once or at the end of the turn that the calling thread is in.
    static func signal(_ condition: Monitor.Condition) {
        guard let turn = current else { return condition.signal() }
        turn.waiting.append(condition)
    }
}
