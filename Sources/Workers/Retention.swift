package import Consent
package import Store

/// Takes away what need not be kept, oldest first and kind by kind, in small batches that yield to everybody.
///
/// What is old is told by the database's clock, and what may go is decided in the transaction that takes it away. Which
/// instance sees to an app is settled by the sweeper's lease.
package struct Retention: Sendable {
    /// For how long what is kept, in seconds; nil: for ever.
    package struct Kept: Sendable, Hashable {
        /// How long a keyed request is remembered: 72 hours.
        package var replies = 259_200
        package var events: Int?
        /// After the last change and the expiration of a question; no question goes before the events that tell of it.
        package var questions: Int?
        /// Stores' notices that wait: for somebody who registers their account, or for what makes them usable.
        package var notifications: Int?
        /// After the making of a webhook delivery, with the log of its attempts: 30 days. Those of events go with them at the
        /// latest.
        package var deliveries = 2_592_000

        package init(events: Int? = nil, questions: Int? = nil, notifications: Int? = nil) {
            self.events = events
            self.questions = questions
            self.notifications = notifications
        }
    }

    /// What is taken away; a further kind is a case here, one of `Pruning` and an arm of `prune`.
    package enum Kind: String, Sendable, CaseIterable {
        case replies, events, questions, notifications, deliveries
        /// Counters of changes and of groups of persons that count nobody.
        case counters
        /// Tickets for streams that nobody used in time.
        case tickets
    }

    /// Rows of one kind that were taken away of one app; answers go with their questions and are not counted.
    package struct Pruned: Sendable {
        package let kind: Kind
        package let rows: Int

        package init(kind: Kind, rows: Int) {
            self.kind = kind
            self.rows = rows
        }
    }

    /// Questions taken away in one transaction, which locks their persons.
    private static let locked = 100

    private let store: Store
    private let holder: Identifier
    private let kept: Kept
    private let batch: Int
    private let observe: @Sendable (Result<Pruned, StoreFailure>) -> Void

    /// - Parameters:
    ///   - holder: names this instance, as it does to the sweeper.
    ///   - batch: rows taken away in one transaction.
    ///   - observe: told of what was taken away of an app, and of each run that failed.
    package init(
        _ store: Store, holder: Identifier, kept: Kept, batch: Int = 500,
        observe: @escaping @Sendable (Result<Pruned, StoreFailure>) -> Void = { _ in }
    ) {
        self.store = store
        self.holder = holder
        self.kept = kept
        self.batch = batch
        self.observe = observe
    }

    /// Prunes until its task is cancelled, looking once a minute.
    package func run() async {
        var pace = RetentionPace()
        while !Task.isCancelled {
            do throws(StoreFailure) {
                try await walk(&pace) { observe(.success($0)) }
            } catch {
                // Whoever ends a worker takes back what it still waits for: that is no failure.
                if Task.isCancelled { return }
                observe(.failure(error))
            }
            _ = try? await Task.sleep(for: .seconds(60))
        }
    }

    /// Takes away all that may go now and that no other instance has in hand; returns how many rows of each kind.
    package func runOnce() async throws(StoreFailure) -> [Kind: Int] {
        var total: [Kind: Int] = [:]
        var last: [Kind: Int]
        repeat {
            // What goes may let go of what it was kept beside.
            last = [:]
            var pace = RetentionPace(isBounded: false)
            try await walk(&pace) { last[$0.kind, default: 0] += $0.rows }
            total.merge(last, uniquingKeysWith: +)
        } while !last.isEmpty && !Task.isCancelled
        return total
    }

    /// What fails in one app, or of one kind, is thrown once all else was seen to.
    private func walk(_ pace: inout RetentionPace, _ tell: (Pruned) -> Void) async throws(StoreFailure) {
        pace.beginRun()
        let (apps, now) = try await store.oldestKept()
        var failure: StoreFailure?
        for app in apps {
            for kind in Kind.allCases where !Task.isCancelled {
                do throws(StoreFailure) {
                    let rows = try await prune(kind, of: app, at: now, &pace)
                    if rows > 0 { tell(Pruned(kind: kind, rows: rows)) }
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }

    private func prune(
        _ kind: Kind, of app: OldestKept, at now: Instant, _ pace: inout RetentionPace
    ) async throws(StoreFailure) -> Int {
        switch kind {
        case .replies:
            let command = Pruning.replies(olderThanSeconds: kept.replies, limit: batch)
            return isDue(app.reply, kept.replies, now) ? try await drain(app.app, command) : 0
        case .events:
            guard let seconds = kept.events, isDue(app.event, seconds, now) else { return 0 }
            return try await drain(app.app, .events(olderThanSeconds: seconds, limit: batch))
        case .questions:
            guard let seconds = kept.questions else { return 0 }
            return try await pruneQuestions(app.app, olderThan: seconds, &pace)
        case .notifications:
            guard let seconds = kept.notifications, isDue(app.notification, seconds, now) else { return 0 }
            var total = 0
            for status in [StoreNotification.Status.unattributed, .quarantined] {
                total += try await drain(
                    app.app, .notifications(status, olderThanSeconds: seconds, limit: batch))
            }
            return total
        case .deliveries:
            guard isDue(app.delivery, kept.deliveries, now) else { return 0 }
            return try await drain(app.app, .deliveries(olderThanSeconds: kept.deliveries, limit: batch))
        case .counters:
            guard pace.takesCounters(of: app.app), try await claims(app.app) else { return 0 }
            return try await submit(.emptyCounters(limit: batch), app.app)
        case .tickets: return isDue(app.ticket, 0, now) ? try await drain(app.app, .tickets(limit: batch)) : 0
        }
    }

    private func isDue(_ oldest: Instant?, _ seconds: Int, _ now: Instant) -> Bool {
        oldest.map { $0 < now.adding(seconds: -Int64(seconds)) } ?? false
    }

    /// Batch after batch, until one is not full.
    private func drain(_ app: AppID, _ pruning: Pruning) async throws(StoreFailure) -> Int {
        var total = 0
        var last = batch
        while last >= batch, try await claims(app), !Task.isCancelled {
            last = try await submit(pruning, app)
            total += last
        }
        return total
    }

    /// Walks over the app's questions in the order of their creation, from where it left off.
    private func pruneQuestions(
        _ app: AppID, olderThan seconds: Int, _ pace: inout RetentionPace
    ) async throws(StoreFailure) -> Int {
        var total = 0
        while pace.takesStep(in: app), try await claims(app), !Task.isCancelled {
            let found = try await store.oldQuestions(
                app, after: pace.position(in: app), olderThanSeconds: seconds, looking: batch)
            for first in stride(from: 0, to: found.ids.count, by: Self.locked) {
                let some = found.ids[first..<min(first + Self.locked, found.ids.count)]
                total += try await submit(.questions(Array(some), olderThanSeconds: seconds), app)
            }
            pace.move(in: app, to: found.next)
        }
        return total
    }

    private func claims(_ app: AppID) async throws(StoreFailure) -> Bool {
        try await store.claimSweep(app, holder: holder)
    }

    private func submit(_ pruning: Pruning, _ app: AppID) async throws(StoreFailure) -> Int {
        guard case .done(.pruned(let rows)) = try await store.submit(Submission(app: app, command: .prune(pruning)))
        else { return 0 }
        return rows
    }
}
