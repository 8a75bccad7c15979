import Consent
package import Store

/// Sends events to webhook endpoints: makes the log into deliveries, leases those that are due, posts them, and writes down
/// what came of it.
///
/// Instances share the work by leases alone. A lease is twice as long as an attempt may take, and an attempt begins in its
/// first half: so a second one is made only after the first is over. Who dies in between leaves a lease that runs out.
package struct Deliveries: Sendable {
    package struct Settings: Sendable {
        /// Attempts under way at once; of these at most half for endpoints that are failing.
        package var places = 128
        /// Of one endpoint, over all instances; one that is failing gets a single one.
        package var perEndpoint = 8
        /// How long what is under way may take when the worker is stopped.
        package var grace = Duration.seconds(5)

        package init() {}
    }

    /// What a run came to.
    package struct Report: Sendable, Hashable {
        /// Deliveries that wait now and did not before.
        package var made = 0
        package var attempts = 0
    }

    let store: any DeliveryStore
    let courier: Courier
    let open: @Sendable (ClaimedDelivery) -> [[UInt8]]
    let observe: @Sendable (DeliveryNews) -> Void
    private let settings: Settings
    private let alarm = Alarm()
    private let inbox = DeliveryInbox()
    private let places: Places

    /// How often all apps are looked at, for retries, redeliveries and what no news told of.
    private static let net = Duration.seconds(1)
    /// Events made into deliveries in one statement, for each endpoint.
    private static let page = 256
    /// Pages after which other apps have their turn.
    private static let pages = 4
    /// Apps that are seen to at once.
    private static let breadth = 4

    /// - Parameters:
    ///   - open: the keys of a delivery's secrets, the newest first; those that cannot be opened are left out.
    ///   - observe: told of each attempt and each look.
    package init(
        _ store: any DeliveryStore, courier: Courier, settings: Settings = Settings(),
        open: @escaping @Sendable (ClaimedDelivery) -> [[UInt8]],
        observe: @escaping @Sendable (DeliveryNews) -> Void = { _ in }
    ) {
        self.store = store
        self.courier = courier
        self.settings = settings
        self.open = open
        self.observe = observe
        places = Places(settings.places)
    }

    /// Attempts under way.
    package var underWay: Int { places.taken }

    /// What the store or other instances tell; any thread.
    package func hear(_ news: FeedLine.News) {
        if inbox.hear(news) { alarm.ring() }
    }

    /// Delivers until its task is cancelled; then what is under way ends, or is given up after the grace. The courier is
    /// stopped with it.
    package func run() async {
        var nextLook = ContinuousClock.now
        while !Task.isCancelled {
            do throws(StoreFailure) {
                var visits = Visits(inbox.take())
                if visits.isLookWanted || ContinuousClock.now >= nextLook {
                    nextLook = ContinuousClock.now + (try await look(&visits))
                }
                await visit(visits)
                await alarm.sleep(for: nextLook - ContinuousClock.now, until: nil)
            } catch {
                // Whoever ends a worker takes back what it still waits for: that is no failure.
                if Task.isCancelled { break }
                observe(.failed(error))
                nextLook = .now
                await alarm.sleep(for: .milliseconds(500), until: nil)
            }
        }
        await courier.stop(within: settings.grace)
        await places.empty()
    }

    /// Makes and sends everything that is due, and waits for what comes of it.
    package func runOnce() async throws(StoreFailure) -> Report {
        var total = Report()
        while true {
            var visits = Visits(inbox.take())
            _ = try await look(&visits)
            let report = await visit(visits)
            await places.empty()
            guard report != Report() else { return total }
            total.made += report.made
            total.attempts += report.attempts
        }
    }

    // MARK: Who is to be seen to

    private struct Visits {
        /// Apps whose log is ahead of their endpoints.
        var behind: Set<AppID>
        /// Apps in which something may be due.
        var due: Set<AppID>
        /// Of these, apps where that was seen: failing endpoints have their turn too.
        var seen: Set<AppID> = []
        let isLookWanted: Bool

        init(_ contents: DeliveryInbox.Contents) {
            behind = contents.grown
            due = contents.freed
            isLookWanted = contents.isLookWanted
        }
    }

    /// Looks at all apps; returns how long it is until the next look.
    private func look(_ visits: inout Visits) async throws(StoreFailure) -> Duration {
        let (all, now) = try await store.nextDeliveries()
        inbox.follow(Set(all.map(\.app)))
        var lag: Int64 = 0
        var pause = Self.net
        for one in all {
            if one.isBehind { visits.behind.insert(one.app) }
            guard let at = one.dueAt else { continue }
            let ahead = at.microseconds - now.microseconds
            if ahead <= 0 {
                visits.seen.insert(one.app)
                lag = max(lag, -ahead)
            } else {
                pause = min(pause, .microseconds(ahead + 1_000))
            }
        }
        observe(.looked(lag: lag))
        return pause
    }

    /// Sees to a few apps at a time, in no order that would always favour the same.
    @discardableResult
    private func visit(_ visits: Visits) async -> Report {
        var apps = visits.behind.union(visits.due).union(visits.seen).shuffled()[...]
        return await withTaskGroup(of: Report.self) { group in
            func begin() {
                guard !Task.isCancelled, let app = apps.popFirst() else { return }
                group.addTask {
                    do throws(StoreFailure) {
                        return try await visit(
                            app, isBehind: visits.behind.contains(app), isSeen: visits.seen.contains(app))
                    } catch {
                        // Whoever ends a worker takes back what it still waits for: that is no failure.
                        if !Task.isCancelled { observe(.failed(error)) }
                        return Report()
                    }
                }
            }
            for _ in 0..<Self.breadth { begin() }
            var total = Report()
            for await report in group {
                total.made += report.made
                total.attempts += report.attempts
                begin()
            }
            return total
        }
    }

    private func visit(_ app: AppID, isBehind: Bool, isSeen: Bool) async throws(StoreFailure) -> Report {
        var report = Report()
        var isBehind = isBehind
        for page in 0..<Self.pages where page == 0 || isBehind {
            if isBehind {
                let step = try await store.fanOut(app, limit: Self.page)
                report.made += step.deliveries
                isBehind = step.more
            }
            report.attempts += try await begin(app, .healthy)
        }
        if isBehind {
            inbox.again(app)
            alarm.ring()
        }
        if isSeen { report.attempts += try await begin(app, .failing) }
        return report
    }

    // MARK: Attempts

    /// Leases what is due of endpoints of a kind, as far as there are places, and begins the attempts; returns how many.
    private func begin(_ app: AppID, _ health: EndpointHealth) async throws(StoreFailure) -> Int {
        let reserved = places.reserve(health)
        guard reserved > 0, !Task.isCancelled else {
            places.release(reserved, health)
            inbox.starved(app)
            return 0
        }
        let limits = ClaimLimits(
            health, count: reserved, perEndpoint: health == .failing ? 1 : settings.perEndpoint,
            leaseSeconds: leaseSeconds)
        let asked = ContinuousClock.now
        let claimed: [ClaimedDelivery]
        do throws(StoreFailure) {
            claimed = try await store.claimDeliveries(app, limits)
        } catch {
            places.release(reserved, health)
            throw error
        }
        places.release(reserved - claimed.count, health)
        for delivery in claimed {
            // A task of its own: whoever ends the worker must not take back what is to be written down.
            Task {
                await attempt(delivery, until: asked + courier.settings.timeout)
                places.release(1, health)
                inbox.ended(app)
                alarm.ring()
            }
        }
        return claimed.count
    }

    private var leaseSeconds: Int {
        let timeout = courier.settings.timeout
        return Int((timeout * 2).components.seconds) + 1
    }
}
