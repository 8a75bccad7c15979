/// What comes of an observation of an age rating.
///
/// A rating's code has one defined use: to be compared with the last known one. Devices in development, the sandbox and
/// test programs read 0, which is not nil; kept as a baseline it would make the first launch from the store look like a
/// change, so it is kept nowhere.
package enum AgeRatingObserving {
    /// Decides about an observation; `baseline` is what is known of its scope, `isTaken` tells whether a change has an id.
    package static func decide(
        _ observation: AgeRatingObservation, baseline: AgeRating?, policy: Policy, now: Instant,
        isTaken: (CallerID) -> Bool
    ) -> AgeRatingVerdict {
        let latest = now.adding(seconds: AgeRatingObservation.aheadSeconds)
        if let told = observation.observedAt, told > latest { return .refused(.observationAhead(latest: latest)) }
        guard let code = observation.code else { return .ignored(.unavailable) }
        if code == 0 { return .ignored(.sentinel) }
        // A clock that is ahead must not make everything observed until then late.
        let observed = min(observation.observedAt ?? now, now)
        guard let baseline else {
            return recorded(code, observation.scope, after: nil, observed: observed, now: now, opens: nil)
        }
        if code == baseline.code {
            var seen = baseline
            seen.lastObservedAt = max(baseline.lastObservedAt, observed)
            return .unchanged(seen)
        }
        if observed < baseline.lastObservedAt { return .ignored(.late) }
        let opens =
            policy.ageRatingOpensChange && observation.scope.environment == .production
            ? freeID(observation.scope, code, baseline.revision + 1, isTaken) : nil
        return recorded(code, observation.scope, after: baseline, observed: observed, now: now, opens: opens)
    }

    private static func recorded(
        _ code: Int, _ scope: AgeRatingScope, after baseline: AgeRating?, observed: Instant, now: Instant,
        opens: CallerID?
    ) -> AgeRatingVerdict {
        let rating = AgeRating(
            scope: scope, code: code, revision: (baseline?.revision ?? 0) + 1, observedAt: observed,
            lastObservedAt: observed, recordedAt: now)
        let step = AgeRatingStep(
            scope: scope, revision: rating.revision, code: code, previousCode: baseline?.code, observedAt: observed,
            recordedAt: now, change: opens)
        let change = opens.map {
            Change(
                id: $0, settings: settings(scope, from: baseline?.code ?? 0, to: code), revision: 1, createdAt: now,
                updatedAt: now)
        }
        return .recorded(rating, step, opens: change)
    }

    /// The storefront, the code and which step it is; a caller may have taken that name, then a number is put behind it.
    private static func freeID(
        _ scope: AgeRatingScope, _ code: Int, _ revision: Int, _ isTaken: (CallerID) -> Bool
    ) -> CallerID {
        let first = CallerID(trusted: scope.changePrefix + "\(code)-\(revision)")
        var id = first
        var number = 1
        while isTaken(id) {
            number += 1
            id = CallerID(trusted: first.text + "-\(number)")
        }
        return id
    }

    /// A rating is the whole app's, and no version brought it: so it exempts nobody.
    private static func settings(_ scope: AgeRatingScope, from old: Int, to new: Int) -> ChangeSettings {
        let text = """
            The app's age rating in the \(scope.storefront.code) storefront has changed: its rating code was \(old) \
            and is now \(new).
            """
        return ChangeSettings(
            kind: .ageRating, version: nil, build: nil, features: nil,
            descriptions: [LocalizedText(language: "en", text: text)])
    }
}
