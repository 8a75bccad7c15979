/// The loop as the executor of the handlers it starts: what a handler does after a wait runs on the loop's own thread again.
///
/// So the answer is made where it is sent from, and a wait that ends wakes one thread instead of two. Handlers never block, and
/// the longest of them renders for a fraction of a millisecond.
extension EventLoop: TaskExecutor {
    /// Jobs that wait for the thread; once it is over, what its handlers still do belongs to the cooperative pool.
    struct Jobs {
        var waiting: [UnownedJob] = []
        var isOver = false
    }

    /// Any thread.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let place: (isFirst: Bool, isOver: Bool) = jobs.withLock { jobs in
            if jobs.isOver { return (false, true) }
            jobs.waiting.append(job)
            return (jobs.waiting.count == 1, false)
        }
        if place.isOver { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        if place.isFirst { doorbell.ring() }
    }

    /// Runs what waits; what that makes ready comes after the sockets had their turn. The loop's thread only.
    func runJobs() {
        for job in take(isOver: false) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// From here on nothing waits for the loop's thread any more. The loop's thread, as its last act.
    func passOnJobs() {
        for job in take(isOver: true) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    private func take(isOver: Bool) -> [UnownedJob] {
        jobs.withLock { jobs in
            jobs.isOver = isOver
            guard !jobs.waiting.isEmpty else { return [] }
            return exchange(&jobs.waiting, with: [])
        }
    }
}
