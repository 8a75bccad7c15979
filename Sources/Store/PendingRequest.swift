import Postgres
import Synchronization

/// A request that waits for a thread of a pool, with the caller who waits for it.
///
/// Any thread may call it; its mutex owns the caller's continuation, which is resumed once, by whoever answers first: the
/// thread that took the request out of the queue, or its caller's cancellation if that took it back.
final class PendingRequest<Request: Sendable, Value: Sendable>: Sendable {
    typealias Answer = Result<Value, StoreFailure>

    private struct State {
        var continuation: CheckedContinuation<Answer, Never>?
        /// Where it waits; nil until it was handed in.
        var ticket: Ticket?
        var isAbandoned = false
    }

    let request: Request
    private let state = Mutex(State())

    init(_ request: Request) {
        self.request = request
    }

    /// Hands the request in and waits for its answer. If the caller's task is cancelled, the request is taken back and
    /// answered `deadline`; one that a thread already has in hand is answered as usual.
    ///
    /// - Parameters:
    ///   - handIn: puts the request into its queue.
    ///   - takeBack: takes it out again; false when it is in hand or done.
    func answer(handIn: () -> Admission, takeBack: @escaping @Sendable (Ticket) -> Bool) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard begin(continuation) else { return continuation.resume(returning: .failure(.deadline)) }
                switch handIn() {
                // The cancellation came before the ticket was known, so it was left to this side to use it.
                case .accepted(let ticket): if isAbandoned(waitingAt: ticket), takeBack(ticket) { giveUp() }
                case .full: answer(.failure(.overloaded))
                case .closed: answer(.failure(.unavailable))
                }
            }
        } onCancel: {
            if let ticket = abandon(), takeBack(ticket) { giveUp() }
        }
    }

    /// Tells the caller, unless they have been told already.
    func answer(_ answer: Answer) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: answer)
    }

    private func giveUp() { answer(.failure(.deadline)) }

    /// False when nobody waits any more before it began.
    private func begin(_ continuation: CheckedContinuation<Answer, Never>) -> Bool {
        state.withLock { state in
            if state.isAbandoned { return false }
            state.continuation = continuation
            return true
        }
    }

    private func isAbandoned(waitingAt ticket: Ticket) -> Bool {
        state.withLock { state in
            state.ticket = ticket
            return state.isAbandoned
        }
    }

    private func abandon() -> Ticket? {
        state.withLock { state in
            state.isAbandoned = true
            return state.ticket
        }
    }
}

/// A command that waits for its transaction.
typealias PendingCommand = PendingRequest<Submission, Reply>

/// A read that waits for its batch.
typealias PendingQuery = PendingRequest<Query, QueryResult>
