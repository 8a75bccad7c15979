import Synchronization

/// What the threads of one pool share: the queue, the stop signal, the count of connections.
///
/// Any thread may call it.
package final class PoolCore<Item: Sendable>: Sendable {
    let settings: PoolSettings
    let mailbox: Mailbox<Item>
    let interrupt = Interrupt()
    /// False once the pool takes nothing more.
    let isOpen = Atomic(true)
    private let lenders = Atomic(0)
    let connections = ConnectionCount()
    let observe: @Sendable (PoolObservation) -> Void
    private let giveUp: @Sendable ([Item], BatchFailure) -> Void
    private let threads = ThreadCount()

    init(
        _ settings: PoolSettings, observe: @escaping @Sendable (PoolObservation) -> Void,
        fail: @escaping @Sendable ([Item], BatchFailure) -> Void
    ) {
        self.settings = settings
        self.observe = observe
        giveUp = fail
        mailbox = Mailbox(settings.limits)
    }

    func fail(_ items: [Item], _ failure: BatchFailure) {
        guard !items.isEmpty else { return }
        giveUp(items, failure)
        observe(.failed(items: items.count, failure))
    }

    /// Starts the connection threads, each running `work`, and the one that watches deadlines; returns how many run.
    func start(_ work: @escaping @Sendable (PoolCore<Item>) -> Void) -> Int {
        var started = 0
        for number in 1...max(settings.threads - settings.lent, 1) {
            if threads.start("\(settings.name)-\(number)", { [self] in work(self) }) { started += 1 }
        }
        _ = threads.start("\(settings.name)-late") { [self] in
            while let items = mailbox.takeLate() { fail(items, .expired) }
        }
        return started
    }

    /// A connection for a thread that runs turns, if one is to be had: its own to the end of its turns.
    func lender() -> ConnectionLender? {
        let number = lenders.add(1, ordering: .relaxed).newValue
        guard number <= settings.lent else { return nil }
        let lender = ConnectionLender()
        let isStarted = threads.start("\(settings.name)-lent-\(number)") { [self] in
            let keeper = ConnectionKeeper(settings.connection, interrupt, connections, observe: observe)
            lender.run(keeper) { interrupt.isFired || mailbox.isFinished }
        }
        return isStarted ? lender : nil
    }

    /// Takes nothing more, lets what waits be done until `limit`, then cuts every wait short and gives up the rest.
    /// Blocks; false when a thread was still busy a second after that.
    func stop(within limit: Duration) -> Bool {
        isOpen.store(false, ordering: .relaxed)
        mailbox.close()
        _ = mailbox.waitUntilStill(until: .now + limit)
        interrupt.fire()
        fail(mailbox.drain(), .stopping)
        mailbox.endWatch()
        return threads.waitForEnd(until: .now + .seconds(1))
    }
}
