import Glibc
import Synchronization

/// A few threads that judge tokens, with a bounded queue before them; a mutex owns the queue, any thread may call.
///
/// Verifying takes up to milliseconds of CPU, which would hold up every other request on the cooperative pool or on an event
/// loop.
package final class VerificationThreads: Sendable {
    /// The queue is full, or `stop` was called: nothing was done, and trying again later is sane.
    package struct Overloaded: Error, Sendable {}

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// Where the oldest of `waiting` stands; what is before was taken.
        var first = 0
        var isStopping = false
        var handles: [pthread_t] = []
    }

    package init(threads: Int, queue: Int) {}

    /// Runs `work` on one of the threads and returns what it returns; throws at once when the queue is full.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(Overloaded) -> Value {
        throw Overloaded()
    }

    /// Takes no more work, does what waits, and returns when the threads have ended; blocks.
    package func stop() {}
}
