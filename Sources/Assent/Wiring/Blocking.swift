import Postgres

/// Runs calls that block, such as libpq's, beside the cooperative pool.
enum Blocking {
    /// Runs the body on a thread of its own and waits for it without blocking a pool thread.
    static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            let work: @Sendable () -> Void = {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            // Without a thread to be had, blocking here is the lesser evil: these calls come at start and stop only.
            if !DedicatedThread.run("blocking", work) { work() }
        }
        return try result.get()
    }
}
