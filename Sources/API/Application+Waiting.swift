import Consent
import HTTPServer
import Store

/// What a look at something came to, for a request that waits for a difference.
struct Look: Sendable {
    let response: Response
    /// Whether the response is no news to the caller.
    let isCurrent: Bool
    /// How long until it changes by time alone; nil where it does not.
    var changesIn: Duration?
}

extension Application {
    /// Looks, and if there is no difference waits for one as long as the request's `Prefer: wait` says; then the last look is the
    /// answer. What it waits for is registered before the look that decides to wait, so no difference can come between.
    ///
    /// - Parameter interest: what to wait for; nil where there is nothing.
    func look(
        _ call: Call, _ interest: () async throws(Problem) -> Waiter.Interest?,
        _ look: () async throws(Problem) -> Look
    ) async throws(Problem) -> Response {
        guard let seconds = Preference.wait(call.request.headers) else { return try await look().response }
        let end = clock.monotonic() + .seconds(seconds)
        var seen = try await look()
        if seen.isCurrent, seconds > 0, let interest = try await interest() {
            let (appFeed, number) = feed.enter(call.app, waits: true)
            let waiter = Waiter(number, key: call.caller.key, interest)
            appFeed.add(waiter)
            defer {
                appFeed.remove(waiter)
                feed.leave(call.app, waits: true)
            }
            if try await read({ () async throws(StoreFailure) in try await appFeed.start() }) {
                if case .log(let filter) = interest, let view = filter.guardian,
                    let standing = try await read({ () async throws(StoreFailure) in
                        try await store.standing(call.app, guardian: view.guardian)
                    })
                {
                    view.start(standing)
                }
                seen = try await inTurn(look)
                while seen.isCurrent {
                    let now = clock.monotonic()
                    guard end > now else { break }
                    // A token that ends is refused below.
                    let rest = min(end, call.caller.deadline ?? end) - now
                    if rest > .zero { await waiter.wait(for: min(rest, seen.changesIn ?? rest)) }
                    // The key may have been revoked meanwhile, or the token may have ended.
                    _ = try await authenticator.caller(of: call.request.headers)
                    guard !feed.isStopped, !Task.isCancelled else { break }
                    seen = try await inTurn(look)
                }
            }
        }
        var response = seen.response
        response.headers.append(.waited(seconds))
        response.headers.append(.varyingPreference)
        return response
    }

    /// Looks when there is a place: thousands that one event woke, or that gave up at the same moment, take turns.
    private func inTurn(_ look: () async throws(Problem) -> Look) async throws(Problem) -> Look {
        await feed.doorway.enter()
        defer { feed.doorway.leave() }
        return try await look()
    }
}

extension Duration {
    /// From now to a later moment of the database's clock, and a little more, so that a look then finds it passed. Where now is
    /// told by a clock that is ahead, the moment seems over while the database has yet to come to it: then half a second, so that
    /// looking again and again is no work, however far the clocks are apart.
    static func until(_ moment: Instant, from now: Instant) -> Duration {
        let (span, overflow) = moment.microseconds.subtractingReportingOverflow(now.microseconds)
        if overflow { return .seconds(3_600) }
        return span > 0 ? .microseconds(min(span, 3_600_000_000) + 20_000) : .milliseconds(500)
    }
}
