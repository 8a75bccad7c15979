import Glibc
import Synchronization

/// A few threads that judge tokens, with a bounded queue before them; a mutex owns the queue, any thread may call.
///
/// Verifying takes up to milliseconds of CPU, which would hold up every other request on the cooperative pool or on an event
/// loop. A thread starts when there is work and none is free to take it, and ends when the queue is empty: an idle server has
/// none, so there is nothing to stop.
package final class VerificationThreads: Sendable {
    /// The queue is full, or the system has no thread to give: nothing was done, and trying again later is sane.
    package struct Overloaded: Error, Sendable, Equatable {}

    private struct Work: Sendable {
        /// Does it and returns what tells the caller, to be called once the place in the queue is free again.
        let perform: @Sendable () -> @Sendable () -> Void
        let abandon: @Sendable () -> Void
    }

    private struct State {
        /// Oldest last, so that taking it moves nothing; `arriving` holds the newer ones in their order.
        var leaving: [Work] = []
        var arriving: [Work] = []
        /// Threads.
        var running = 0
        /// What waits, and what is being done.
        var admitted = 0

        var waiting: Int { leaving.count + arriving.count }

        mutating func next() -> Work? {
            if leaving.isEmpty {
                leaving = arriving.reversed()
                arriving.removeAll(keepingCapacity: true)
            }
            return leaving.popLast()
        }
    }

    private enum Admission {
        case full, queued, threadNeeded
    }

    private let threads: Int
    private let queue: Int
    private let start: @Sendable (VerificationThreads) -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - threads: how many may work at once.
    ///   - queue: how much may wait while all of them are busy.
    package convenience init(threads: Int, queue: Int) {
        self.init(threads: threads, queue: queue, start: Self.startThread)
    }

    init(threads: Int, queue: Int, start: @escaping @Sendable (VerificationThreads) -> Bool) {
        self.threads = max(1, threads)
        self.queue = max(0, queue)
        self.start = start
    }

    /// How much waits for a thread now.
    package var waiting: Int { state.withLock(\.waiting) }

    /// Runs `work` on one of the threads and returns what it returns; throws at once when the queue is full.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(Overloaded) -> Value {
        let value: Value? = await withCheckedContinuation { continuation in
            let work = Work(
                perform: {
                    let value = work()
                    return { continuation.resume(returning: value) }
                }, abandon: { continuation.resume(returning: nil) })
            switch admit(work) {
            case .full: work.abandon()
            case .queued: break
            case .threadNeeded: if !start(self) { threadMissing() }
            }
        }
        guard let value else { throw Overloaded() }
        return value
    }

    private func admit(_ work: Work) -> Admission {
        state.withLock { state in
            guard state.admitted < threads + queue else { return .full }
            state.admitted += 1
            state.arriving.append(work)
            guard state.running < threads else { return .queued }
            state.running += 1
            return .threadNeeded
        }
    }

    /// Works until nothing waits; what every thread does.
    func drain() {
        var work = take(afterDoing: 0)
        while let next = work {
            let tell = next.perform()
            work = take(afterDoing: 1)
            tell()
        }
    }

    private func take(afterDoing done: Int) -> Work? {
        state.withLock { state in
            state.admitted -= done
            let work = state.next()
            if work == nil { state.running -= 1 }
            return work
        }
    }

    /// Without any other thread to do it, what waits is given back.
    private func threadMissing() {
        let abandoned = state.withLock { state -> [Work] in
            state.running -= 1
            guard state.running == 0 else { return [] }
            var abandoned: [Work] = []
            while let work = state.next() { abandoned.append(work) }
            state.admitted = 0
            return abandoned
        }
        for work in abandoned { work.abandon() }
    }

    private static func startThread(_ threads: VerificationThreads) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let argument = Unmanaged.passRetained(threads)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<VerificationThreads>.fromOpaque(argument).takeRetainedValue().drain()
                return nil
            }, argument.toOpaque())
        if code != 0 { argument.release() }
        return code == 0
    }
}
