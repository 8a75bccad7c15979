package import Consent
package import Store

/// Resolves questions whose expiration passed in silence, by the same command and the same rules as everybody else.
///
/// Readers never depend on it: they see an overdue question as expired already. What it brings is the event.
package struct Sweeper: Sendable {
    /// What one run did.
    package struct Report: Sendable {
        /// Questions this run resolved.
        package var resolved = 0
        /// How long the longest overdue question had been so when the run looked, in microseconds; 0 for none.
        package var lag: Int64 = 0
        /// The next expiration still ahead, with the database's present at the look; nil where nothing is pending.
        package var next: Instant?
        package var now = Instant(microseconds: 0)
        /// Overdue questions are left: another instance has them in hand.
        package var leftToOthers = false
    }

    private let store: Store
    private let alarm: Alarm
    private let holder: Identifier
    private let observe: @Sendable (Result<Report, StoreFailure>) -> Void
    /// Questions taken in one round of one app: enough to keep the batches full, few enough for apps to take turns.
    private let round: Int

    /// `holder` names this instance; `alarm` is rung for questions that expire sooner than those the sweeper knows.
    package init(
        _ store: Store, alarm: Alarm, holder: Identifier, round: Int = 1_024,
        observe: @escaping @Sendable (Result<Report, StoreFailure>) -> Void = { _ in }
    ) {
        self.store = store
        self.alarm = alarm
        self.holder = holder
        self.round = round
        self.observe = observe
    }

    /// Sweeps until its task is cancelled; wakes at the next expiration, and at least every few seconds for those that
    /// other instances created. A long run is reported on every second, each time with what is new.
    package func run() async {
        while !Task.isCancelled {
            do throws(StoreFailure) {
                let report = try await walk { observe(.success($0)) }
                observe(.success(report))
                await sleep(after: report)
            } catch {
                observe(.failure(error))
                await alarm.sleep(for: .milliseconds(500), until: nil)
            }
        }
    }

    private func sleep(after report: Report) async {
        let longest: Int64 = report.leftToOthers ? 1_000_000 : 5_000_000
        let ahead = report.next.map { max(0, $0.microseconds - report.now.microseconds) } ?? longest
        await alarm.sleep(for: .microseconds(min(ahead + 1_000, longest)), until: report.next)
    }

    /// Resolves what is overdue now, app by app in turn, until a look finds nothing left that is this instance's.
    package func runOnce() async throws(StoreFailure) -> Report {
        try await walk(nil)
    }

    /// As `runOnce`; what was told on the way is not in the report it returns.
    private func walk(_ tell: ((Report) -> Void)?) async throws(StoreFailure) -> Report {
        var report = Report()
        var toldAt = ContinuousClock.now
        var positions: [AppID: QuestionPosition] = [:]
        while !Task.isCancelled {
            let (all, now) = try await store.nextExpirations()
            let overdue = all.filter { $0.at <= now }
            report.now = now
            report.next = all.lazy.filter { $0.at > now }.map(\.at).min()
            if let oldest = overdue.map(\.at).min() {
                report.lag = max(report.lag, now.microseconds - oldest.microseconds)
            }
            var mayGoOn = false
            report.leftToOthers = false
            for entry in overdue {
                guard try await store.claimSweep(entry.app, holder: holder) else {
                    report.leftToOthers = true
                    continue
                }
                // A walk that did not start at the front tells nothing of what it left behind: look again.
                let wasUnderWay = positions[entry.app] != nil
                let resolved = try await sweep(entry.app, &positions)
                report.resolved += resolved
                if resolved > 0 || wasUnderWay { mayGoOn = true }
            }
            if !mayGoOn { break }
            if let tell, toldAt.duration(to: .now) >= .seconds(1) {
                tell(report)
                toldAt = .now
                report.resolved = 0
                report.lag = 0
            }
        }
        return report
    }

    /// One round of one app. The position spares a long sweep from walking again over what it resolved; it starts
    /// afresh whenever it comes to the end.
    private func sweep(_ app: AppID, _ positions: inout [AppID: QuestionPosition]) async throws(StoreFailure) -> Int {
        let found = try await store.overdue(app, after: positions[app], limit: round)
        positions[app] = found.count == round ? found.last : nil
        return try await resolve(found.map(\.id), app)
    }

    /// Resolves what it can; a failure is thrown where nothing else came of the round, else the next look finds it again.
    private func resolve(_ ids: [Identifier], _ app: AppID) async throws(StoreFailure) -> Int {
        let results = await withTaskGroup(of: Result<Bool, StoreFailure>.self) { group in
            for id in ids {
                group.addTask {
                    do throws(StoreFailure) {
                        let reply = try await store.submit(Submission(app: app, command: .expire(question: id)))
                        if case .done(.expired(true)) = reply { return .success(true) }
                        return .success(false)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<Bool, StoreFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        var resolved = 0
        var failure: StoreFailure?
        for result in results {
            switch result {
            case .success(let isResolved): resolved += isResolved ? 1 : 0
            case .failure(let cause): failure = cause
            }
        }
        if resolved == 0, let failure { throw failure }
        return resolved
    }
}
