extension Mailbox {
    /// Waits for items whose deadline has passed and takes them out; nil once the watch is over.
    ///
    /// For one thread, which sleeps until the earliest deadline among all items and not on a tick.
    func takeLate() -> [Item]? {
        monitor.lock()
        defer { monitor.unlock() }
        while true {
            let now = MonotonicTime.now
            if nextDeadline <= now { sweep(at: now) }
            if !late.isEmpty {
                var taken: [Item] = []
                swap(&taken, &late)
                return taken
            }
            if isWatchOver { return nil }
            monitor.wait(for: lateness, until: nextDeadline)
        }
    }

    /// Ends the watch once what is late has been handed out.
    func endWatch() {
        monitor.lock()
        defer { monitor.unlock() }
        isWatchOver = true
        lateness.broadcast()
    }

    /// Takes out everything that still waits.
    func drain() -> [Item] {
        monitor.lock()
        defer { monitor.unlock() }
        var items: [Item] = []
        for lane in Array(lanes.values) {
            let before = lane.live
            _ = lane.normal.removeExpired(at: .never, into: &items)
            _ = lane.low.removeExpired(at: .never, into: &items)
            forget(before - lane.live, of: lane)
        }
        return items
    }

    private func sweep(at now: MonotonicTime) {
        var earliest = MonotonicTime.never
        for lane in Array(lanes.values) {
            let before = lane.live
            earliest = min(earliest, lane.normal.removeExpired(at: now, into: &late))
            earliest = min(earliest, lane.low.removeExpired(at: now, into: &late))
            forget(before - lane.live, of: lane)
        }
        nextDeadline = earliest
    }
}
