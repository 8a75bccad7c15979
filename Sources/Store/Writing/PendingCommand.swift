import Consent

/// A command that waits for its transaction, with the caller who waits for it.
///
/// Immutable; the continuation is resumed once, by whoever took the command out of the queue.
final class PendingCommand: Sendable {
    let submission: Submission
    private let continuation: CheckedContinuation<Result<Reply, StoreFailure>, Never>

    init(_ submission: Submission, _ continuation: CheckedContinuation<Result<Reply, StoreFailure>, Never>) {
        self.submission = submission
        self.continuation = continuation
    }

    func answer(_ result: Result<Reply, StoreFailure>) {
        continuation.resume(returning: result)
    }
}
