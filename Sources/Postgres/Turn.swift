import Glibc

/// A stretch of one thread's work at whose end the pools are woken for what was handed in during it: once for all of it, when
/// it can be taken as one batch, instead of at the first item.
///
/// Belongs to its thread.
package final class Turn {
    /// Where a thread finds the turn it is in.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private var waiting: [Monitor.Condition] = []

    package init() {}

    /// Runs `body` on the calling thread. A pool's thread that is awake may take what `body` hands in before that.
    package func run(_ body: () -> Void) {
        guard let key = Self.key else { return body() }
        pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
        body()
        pthread_setspecific(key, nil)
        for condition in waiting { condition.signal() }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Wakes one that waits, at once or at the end of the turn that the calling thread is in.
    static func signal(_ condition: Monitor.Condition) {
        guard let key, let turn = pthread_getspecific(key) else { return condition.signal() }
        // A pointer to what runs on this very thread, set and taken away by `run`.
        Unmanaged<Turn>.fromOpaque(turn).takeUnretainedValue().waiting.append(condition)
    }
}
