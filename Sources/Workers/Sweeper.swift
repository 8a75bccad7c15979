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
    /// other instances created. A long run is reported on about every second, each time with what is new.
    package func run() async {
        while !Task.isCancelled {
            do throws(StoreFailure) {
                let report = try await sweep { observe(.success($0)) }
                observe(.success(report))
                await sleep(after: report)
            } catch {
                // Whoever ends a worker takes back what it still waits for: that is no failure.
                if Task.isCancelled { return }
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
        var resolved = 0
        var lag: Int64 = 0
        var report = try await sweep { part in
            resolved += part.resolved
            lag = max(lag, part.lag)
        }
        report.resolved += resolved
        report.lag = max(report.lag, lag)
        return report
    }

    /// As `runOnce`, and tells what is new each time before it looks again; told or returned, nothing is said twice. What
    /// fails in one app is thrown once all that can be done in the others is done: none waits for another's fault.
    private func sweep(_ tell: (Report) -> Void) async throws(StoreFailure) -> Report {
        var total = Report()
        var positions: [AppID: QuestionPosition] = [:]
        while !Task.isCancelled {
            var report = Report()
            var failure: StoreFailure?
            let apps = try await look(&report)
            let goesOn = await walk(apps, &positions, &report, &failure)
            total = report
            guard goesOn else {
                if let failure { throw failure }
                break
            }
            tell(report)
        }
        return total
    }

    /// The apps in which something is overdue.
    private func look(_ report: inout Report) async throws(StoreFailure) -> [AppID] {
        let (all, now) = try await store.nextExpirations()
        let overdue = all.filter { $0.at <= now }
        report.now = now
        report.next = all.lazy.filter { $0.at > now }.map(\.at).min()
        report.leftToOthers = false
        if let oldest = overdue.map(\.at).min() {
            report.lag = max(report.lag, now.microseconds - oldest.microseconds)
        }
        return overdue.map(\.app)
    }

    /// Rounds of the apps in turn, until each has come to its end or a second has passed; then others may be overdue too.
    /// A look walks over everything a sweep has resolved and vacuum not yet cleared, so it is not for every round.
    ///
    /// A position spares a long sweep the same walk; past the end it starts afresh. Returns whether to look again: when
    /// something was resolved, or when a walk that did not start at the front cannot tell what it left behind.
    private func walk(
        _ apps: [AppID], _ positions: inout [AppID: QuestionPosition], _ report: inout Report,
        _ failure: inout StoreFailure?
    ) async -> Bool {
        var goesOn = false
        var waiting = apps
        let started = ContinuousClock.now
        while !waiting.isEmpty, !Task.isCancelled, ContinuousClock.now - started < .seconds(1) {
            var unfinished: [AppID] = []
            for app in waiting {
                do throws(StoreFailure) {
                    guard try await store.claimSweep(app, holder: holder) else {
                        report.leftToOthers = true
                        continue
                    }
                    let found = try await store.overdue(app, after: positions[app], limit: round)
                    let resolved = try await resolve(found.map(\.id), app)
                    report.resolved += resolved
                    if resolved > 0 || positions[app] != nil { goesOn = true }
                    positions[app] = found.count == round ? found.last : nil
                    if found.count == round { unfinished.append(app) }
                } catch {
                    failure = error
                    positions[app] = nil
                }
            }
            waiting = unfinished
        }
        return goesOn
    }

    /// Resolves what it can; a failure is thrown where nothing else came of the round, else the next look finds it again.
    private func resolve(_ ids: [Identifier], _ app: AppID) async throws(StoreFailure) -> Int {
        let result = await Round.run(ids, of: app, on: store) {
            .expire(question: $0)
        } isDone: {
            if case .expired(true) = $0 { true } else { false }
        }
        if result.done == 0, let failure = result.failure { throw failure }
        return result.done
    }
}
