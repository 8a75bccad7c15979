import Consent
import Testing

/// Every code, baseline, moment, environment and policy against what the rules say of them.
@Suite struct AgeRatingObservingTests {
    private static let now = Samples.second(1_000)
    private static let australia = Storefront(trusted: "AUS")

    private static func scope(_ environment: OriginalVersion.Environment = .production) -> AgeRatingScope {
        AgeRatingScope(storefront: australia, environment: environment)
    }

    /// First seen at 100 seconds, last at 200.
    private static func baseline(_ environment: OriginalVersion.Environment = .production) -> AgeRating {
        AgeRating(
            scope: scope(environment), code: 4, revision: 3, observedAt: Samples.second(100),
            lastObservedAt: Samples.second(200), recordedAt: Samples.second(101))
    }

    private static let moments: [Instant?] =
        [nil, Samples.second(50), Samples.second(100), Samples.second(150)]
        + [Samples.second(200).adding(microseconds: -1), Samples.second(200), Samples.second(300), now]
        + [Samples.second(1_300), Samples.second(1_300).adding(microseconds: 1)]

    private func decide(
        _ code: Int?, _ baseline: AgeRating?, at moment: Instant? = nil,
        _ environment: OriginalVersion.Environment = .production, opens: Bool = false,
        taken: Set<String> = []
    ) -> AgeRatingVerdict {
        AgeRatingObserving.decide(
            AgeRatingObservation(scope: Self.scope(environment), code: code, observedAt: moment), baseline: baseline,
            policy: Policy(ageRatingOpensChange: opens), now: Self.now, isTaken: { taken.contains($0.text) })
    }

    @Test(
        "the whole product",
        arguments: OriginalVersion.Environment.allCases, [false, true])
    func product(environment: OriginalVersion.Environment, opens: Bool) {
        for code in [nil, 0, 4, 9, -1] as [Int?] {
            for known in [nil, Self.baseline(environment)] {
                for moment in Self.moments {
                    check(decide(code, known, at: moment, environment, opens: opens), code, known, moment, opens)
                }
            }
        }
    }

    private func check(
        _ verdict: AgeRatingVerdict, _ code: Int?, _ known: AgeRating?, _ moment: Instant?, _ opens: Bool
    ) {
        let observed = min(moment ?? Self.now, Self.now)
        switch verdict {
        case .refused(let refusal):
            #expect(refusal == .observationAhead(latest: Samples.second(1_300)))
            #expect(moment == Self.moments.last)
        case .ignored(.unavailable): #expect(code == nil)
        case .ignored(.sentinel): #expect(code == 0)
        case .ignored(.late):
            #expect(code != known?.code && code != 0 && code != nil)
            #expect(observed < Samples.second(200))
        case .unchanged(let seen):
            var expected = known
            expected?.lastObservedAt = max(Samples.second(200), observed)
            #expect(code == 4 && seen == expected)
        case .recorded(let rating, let step, let change):
            #expect(code != 0 && rating.code == code && step.code == code && rating.code != known?.code)
            #expect(rating.revision == (known?.revision ?? 0) + 1 && step.revision == rating.revision)
            #expect(step.previousCode == known?.code)
            #expect(rating.observedAt == observed && rating.lastObservedAt == observed && step.observedAt == observed)
            #expect(rating.recordedAt == Self.now && step.recordedAt == Self.now)
            if let known { #expect(observed >= known.lastObservedAt) }
            let isOpened = opens && known != nil && rating.scope.environment == .production
            #expect((change != nil) == isOpened && step.change == change?.id)
        }
        if moment == Self.moments.last {
            guard case .refused = verdict else {
                Issue.record("taken although it is ahead")
                return
            }
        }
    }

    @Test("a first value is a baseline, an equal one nothing, another one a change")
    func steps() {
        guard case .recorded(let first, let step, opens: nil) = decide(4, nil, opens: true) else {
            Issue.record("no baseline")
            return
        }
        #expect(first.revision == 1 && step.previousCode == nil)
        #expect(decide(4, first) == .unchanged(first))
        guard case .recorded(let second, _, opens: nil) = decide(9, first) else {
            Issue.record("no change")
            return
        }
        #expect(second.code == 9 && second.revision == 2)
    }

    @Test("what was seen again makes another code from between late")
    func seenAgain() {
        guard case .unchanged(let seen) = decide(4, Self.baseline(), at: Samples.second(500)) else {
            Issue.record("not the known code")
            return
        }
        #expect(decide(9, seen, at: Samples.second(499)) == .ignored(.late))
        #expect(decide(4, seen, at: Samples.second(1)) == .unchanged(seen))
    }

    @Test("a clock that is ahead makes nothing late that comes after it")
    func ahead() {
        guard case .recorded(let rating, _, opens: nil) = decide(4, nil, at: Samples.second(1_300)) else {
            Issue.record("no baseline")
            return
        }
        #expect(rating.lastObservedAt == Self.now)
    }

    @Test("the change it opens names storefront and codes, is the whole app's and no version's")
    func opened() {
        guard case .recorded(_, let step, let change?) = decide(9, Self.baseline(), opens: true) else {
            Issue.record("no change opened")
            return
        }
        #expect(change.id.text == "age-rating-aus-9-4" && step.change == change.id && change.revision == 1)
        #expect(change.settings.kind == .ageRating && change.settings.features == nil)
        #expect(change.settings.version == nil && change.settings.build == nil)
        let text = change.settings.descriptions.first?.text ?? ""
        #expect(change.settings.descriptions.map(\.language) == ["en"])
        #expect(text.contains("AUS") && text.contains("was 4 and is now 9"))
    }

    @Test("an id that a caller took is left to it")
    func taken() {
        let taken: Set = ["age-rating-aus-9-4", "age-rating-aus-9-4-2"]
        guard case .recorded(_, _, let change?) = decide(9, Self.baseline(), opens: true, taken: taken) else {
            Issue.record("no change opened")
            return
        }
        #expect(change.id.text == "age-rating-aus-9-4-3")
    }

    @Test(
        "a storefront is three capital letters",
        arguments: ["AUS", "aus", "AU", "AUST", "", "AU1", "ÄUS", "AU\u{0}", "A\u{301}U"])
    func storefronts(text: String) {
        #expect((Storefront(text) != nil) == (text == "AUS"))
    }
}
