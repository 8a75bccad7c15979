/// What an attempt's result does to its delivery.
package enum DeliveryVerdict: Sendable, Hashable {
    case delivered
    case retry(at: Instant)
    /// Nothing is tried again unless somebody asks for it.
    case failed

    /// Seconds from each failed try to the next, as the Standard Webhooks specification lists them: the first try is at once,
    /// and after the tenth there is none.
    package static let delays: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    /// Tries that a delivery, or its redelivery, has.
    package static var tries: Int { delays.count + 1 }
    /// How much later than by the schedule a receiver may ask to be tried again.
    package static let longestPutOff: Int64 = 7_200

    /// - Parameters:
    ///   - number: which try it was, 1 for the first.
    ///   - jitter: 0 to 1, drawn for this very attempt: a fifth of the delay is spread by it, so that what failed together does
    ///     not come back together.
    package init(after result: AttemptResult, try number: Int, jitter: Double, now: Instant) {
        var putOff: Int64 = 0
        switch result {
        case .answered(200...299, _):
            self = .delivered
            return
        case .answered(410, _):
            self = .failed
            return
        case .answered(_, let seconds): putOff = Int64(max(0, seconds ?? 0))
        case .failed: break
        }
        guard number >= 1, number <= Self.delays.count else {
            self = .failed
            return
        }
        let delay = Self.delays[number - 1]
        let share = jitter.isFinite ? min(max(jitter, 0), 1) : 0
        let spread = Int64(Double(delay) * 200_000 * share)
        let scheduled = Instant(microseconds: now.adding(seconds: delay).microseconds &+ spread)
        let latest = scheduled.adding(seconds: Self.longestPutOff)
        self = .retry(at: min(max(scheduled, now.adding(seconds: putOff)), latest))
    }
}

extension WebhookEndpoint {
    /// How long an endpoint may fail without one success before it is disabled.
    package static let patienceSeconds: Int64 = 5 * 86_400

    /// The endpoint as an attempt leaves it. Success ends a run of failures; 410 disables at once, and so does a failure five
    /// days after the first one since the last success, whichever events they were of. One that is disabled stays so.
    package func after(_ result: AttemptResult, now: Instant) -> WebhookEndpoint {
        var next = self
        if result.isSuccess {
            next.failingSince = nil
            next.lastSuccessAt = now
            return next
        }
        guard result.isReceivers else { return next }
        let first = failingSince ?? now
        next.failingSince = first
        if case .answered(410, _) = result { return next.disabled(.gone, at: now) }
        return now >= first.adding(seconds: Self.patienceSeconds) ? next.disabled(.failing, at: now) : next
    }

    /// The endpoint disabled; as it is, where it is so already.
    package func disabled(_ reason: DisabledReason, at now: Instant) -> WebhookEndpoint {
        guard status == .enabled else { return self }
        var next = self
        next.status = .disabled
        next.disabledReason = reason
        next.disabledAt = now
        next.revision += 1
        next.updatedAt = now
        return next
    }

    /// The endpoint with a new secret; those in force until now sign beside it for a while, so that receivers can change over.
    package func rotated(to sealed: [UInt8], overlapSeconds: Int64, now: Instant) -> WebhookEndpoint {
        let end = now.adding(seconds: overlapSeconds)
        let earlier = secrets(at: now).map { secret in
            WebhookSecret(sealed: secret.sealed, endsAt: min(secret.endsAt ?? end, end))
        }
        var next = self
        let kept = earlier.filter { $0.endsAt.map { $0 > now } ?? false }.prefix(Self.mostSecrets - 1)
        next.secrets = [WebhookSecret(sealed: sealed, endsAt: nil)] + kept
        next.revision += 1
        next.updatedAt = now
        return next
    }

    /// The secrets that sign at a moment, newest first.
    package func secrets(at now: Instant) -> [WebhookSecret] {
        secrets.filter { $0.endsAt.map { $0 > now } ?? true }
    }

    /// The endpoint replaced by what a caller says of it; the same object where that changes nothing. Enabled again it is as
    /// if it had never failed.
    package func replaced(by settings: WebhookSettings, status: Status, now: Instant) -> WebhookEndpoint {
        var next = self
        if settings != next.settings {
            next.settings = settings
            next.revision = revision + 1
            next.updatedAt = now
        }
        switch (self.status, status) {
        case (.enabled, .enabled), (.disabled, .disabled): return next
        case (.enabled, .disabled):
            next = next.disabled(.operatorRequest, at: now)
        case (.disabled, .enabled):
            next.status = .enabled
            next.disabledReason = nil
            next.disabledAt = nil
            next.failingSince = nil
            next.updatedAt = now
        }
        // One change, however much of it changed.
        next.revision = revision + 1
        return next
    }
}
