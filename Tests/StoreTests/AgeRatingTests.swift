import Consent
import Store
import TestSupport
import Testing

/// Age ratings as they are stored, told and read.
@Suite(.timeLimit(.minutes(5))) struct AgeRatingTests {
    private static let australia = AgeRatingScope(storefront: Storefront(trusted: "AUS"), environment: .production)

    private func observe(
        _ code: Int?, _ scope: AgeRatingScope = australia, at moment: Instant? = nil
    ) -> Command {
        .observeAgeRating(AgeRatingObservation(scope: scope, code: code, observedAt: moment))
    }

    private func report(_ reply: Reply) throws -> AgeRatingReport {
        guard case .done(.ageRating(let report)) = reply else { throw Unexpected(description: "\(reply)") }
        return report
    }

    private struct Unexpected: Error { let description: String }

    @Test func aRatingFromItsFirstValueOn() async throws {
        try await TestStore.with("rating_steps") { test in
            for code in [nil, 0] as [Int?] {
                let before = try test.dump()
                let ignored = try report(try await test.run(observe(code)))
                #expect(ignored.outcome == (code == nil ? .unavailable : .sentinel) && ignored.baseline == nil)
                #expect(try test.dump() == before)
            }
            let seen = try test.now().adding(seconds: -60)
            let first = try report(try await test.run(observe(4, at: seen)))
            #expect(first.outcome == .baselineSet && first.baseline?.observedAt == seen)
            let again = try report(try await test.run(observe(4)))
            #expect(again.outcome == .unchanged && again.baseline?.revision == 1)
            #expect(again.baseline.map { $0.lastObservedAt > seen } == true)
            let late = try report(try await test.run(observe(9, at: seen.adding(seconds: 1))))
            #expect(late.outcome == .late && late.baseline == again.baseline)
            let changed = try report(try await test.run(observe(9)))
            #expect(changed.outcome == .changed && changed.previousCode == 4 && changed.change == nil)
            #expect(changed.baseline?.code == 9 && changed.baseline?.revision == 2)
            #expect(try await test.store.ageRating(test.app, Self.australia) == changed.baseline)

            let steps = try #require(
                try await test.store.ageRatingSteps(test.app, Self.australia, after: 0, limit: 10))
            #expect(steps.rows.map(\.code) == [4, 9] && steps.rows.map(\.previousCode) == [nil, 4] && !steps.more)
            let log = try await test.log().dropFirst()
            #expect(log.map(\.type) == [.ageRatingBaselineSet, .ageRatingChanged])
            #expect(log.map(\.data) == steps.rows.map { .ageRating($0) })
            #expect(log.map(\.revision) == [1, 2])
            let model = try LogReplay(test.app, try await test.log()).model
            try await model.expectSame(as: test, knowsAll: false)
        }
    }

    @Test func aTimeAheadLeavesNothing() async throws {
        try await TestStore.with("rating_ahead") { test in
            let before = try test.dump()
            let reply = try await test.run(observe(4, at: try test.now().adding(seconds: 320)))
            guard case .observationAhead = reply.refusal else {
                Issue.record("taken: \(reply)")
                return
            }
            #expect(try test.dump() == before)
            #expect(try report(try await test.run(observe(4, at: try test.now().adding(seconds: 290)))).isRecorded)
            // The clock ahead counts as now: what comes after it is not late.
            #expect(try report(try await test.run(observe(9))).outcome == .changed)
        }
    }

    @Test func storefrontsEnvironmentsAndAppsAreApart() async throws {
        try await TestStore.with("rating_scopes") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            var scopes: [AgeRatingScope] = []
            for code in ["AUS", "BRA", "VNM"] {
                for environment in OriginalVersion.Environment.allCases {
                    scopes.append(AgeRatingScope(storefront: Storefront(trusted: code), environment: environment))
                }
            }
            for (number, scope) in scopes.enumerated() {
                #expect(try report(try await test.run(observe(number + 1, scope))).outcome == .baselineSet)
            }
            #expect(try report(try await test.run(observe(100), app: other)).outcome == .baselineSet)
            func list(
                _ storefront: String? = nil, _ environment: OriginalVersion.Environment? = nil,
                after: AgeRatingScope? = nil, limit: Int = 10
            ) async throws -> (codes: [Int], more: Bool) {
                let page = try await test.store.ageRatings(
                    test.app, storefront: storefront.map { Storefront(trusted: $0) }, environment: environment,
                    after: after, limit: limit)
                return (page.rows.map(\.code), page.more)
            }
            #expect(try await list() == ([1, 2, 3, 4, 5, 6], false))
            #expect(try await list("BRA") == ([3, 4], false))
            #expect(try await list(nil, .sandbox) == ([2, 4, 6], false))
            #expect(try await list("VNM", .production) == ([5], false))
            #expect(try await list(limit: 4) == ([1, 2, 3, 4], true))
            #expect(try await list(after: scopes[3], limit: 4) == ([5, 6], false))
            let nowhere = AgeRatingScope(storefront: Storefront(trusted: "ZZZ"), environment: .sandbox)
            #expect(try await test.store.ageRatingSteps(test.app, nowhere, after: 0, limit: 1) == nil)
        }
    }

    @Test func byPolicyAChangeInProductionOpensASignificantChange() async throws {
        try await TestStore.with("rating_opens", policy: Policy(ageRatingOpensChange: true)) { test in
            // The id that would be next is a caller's own.
            _ = try await test.run(.putChange("age-rating-aus-9-2", Samples.change, .none))
            let sandbox = AgeRatingScope(storefront: Storefront(trusted: "AUS"), environment: .sandbox)
            for scope in [sandbox, Self.australia] {
                #expect(try report(try await test.run(observe(4, scope))).change == nil)
            }
            #expect(try report(try await test.run(observe(9, sandbox))).change == nil)
            let changed = try report(try await test.run(observe(9)))
            let id = try #require(changed.change)
            #expect(id == "age-rating-aus-9-2-2")
            let change = try #require(try await test.store.change(test.app, id))
            #expect(change.settings.kind == .ageRating && change.settings.version == nil)
            #expect(change.settings.features == nil && change.settings.descriptions.count == 1)
            let log = try await test.log()
            #expect(log.suffix(2).map(\.type) == [.ageRatingChanged, .changeRegistered])
            #expect(Set(log.suffix(2).map(\.at)).count == 1)
            #expect(log.last?.data == .change(change))
            // It is asked about like any other, in its own words.
            let question = try await test.run(
                .ask(AskRequest(person: "p", topic: .significantAppUpdate(change: id))))
            #expect(question.question?.description == change.settings.descriptions.first?.text)
            let model = try LogReplay(test.app, try await test.log()).model
            try await model.expectSame(as: test, knowsAll: false)
        }
    }

    @Test func twoDevicesAtOnceMakeOneChange() async throws {
        try await TestStore.with("rating_race", policy: Policy(ageRatingOpensChange: true)) { test in
            let other = TestStore(test.settings)
            let stores = [test, other]
            for (round, code) in [4, 9, 12, 17].enumerated() {
                let reports = try await withThrowingTaskGroup(of: AgeRatingReport.self) { group in
                    for device in 0..<40 {
                        group.addTask { try report(try await stores[device % 2].run(observe(code))) }
                    }
                    return try await group.reduce(into: [AgeRatingReport]()) { $0.append($1) }
                }
                #expect(reports.count(where: \.isRecorded) == 1)
                #expect(reports.count { $0.outcome == .unchanged } == 39)
                #expect(Set(reports.compactMap { $0.baseline?.revision }) == [round + 1])
            }
            #expect(try test.count("select count(*) from age_rating_step") == 4)
            #expect(try test.count("select count(*) from change") == 3)
            #expect(try await test.log().count { $0.type == .changeRegistered } == 3)
            let model = try LogReplay(test.app, try await test.log()).model
            try await model.expectSame(as: test, knowsAll: false)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func whateverTheOrderOfArrivalTheLatestObservationStands() async throws {
        try await TestStore.with("rating_order") { test in
            let other = TestStore(test.settings)
            let stores = [test, other]
            let start = try test.now().adding(seconds: -1_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for device in (0..<60).shuffled() {
                    group.addTask {
                        let moment = start.adding(seconds: Int64(device))
                        _ = try await stores[device % 2].run(observe(device + 1, at: moment))
                    }
                }
                try await group.waitForAll()
            }
            let rating = try #require(try await test.store.ageRating(test.app, Self.australia))
            #expect(rating.code == 60 && rating.observedAt == start.adding(seconds: 59))
            let steps = try #require(
                try await test.store.ageRatingSteps(test.app, Self.australia, after: 0, limit: 100)
            ).rows
            #expect(steps.map(\.revision) == Array(1...rating.revision))
            #expect(steps.map(\.observedAt) == steps.map(\.observedAt).sorted())
            _ = try LogReplay(test.app, try await test.log())
            await other.store.stop(within: .seconds(5))
        }
    }

    /// Commands that share a transaction see each other, and a rating put while its change is put by hand.
    @Test func oneBatchFolds() async throws {
        try await TestStore.with("rating_batch", policy: Policy(ageRatingOpensChange: true)) { test in
            let batch = try await OneBatch(test)
            let replies = try await batch.run([
                (observe(4), nil), (observe(9), nil), (observe(9), nil), (observe(4), nil),
                (.putChange("age-rating-aus-9-2", Samples.change, .none), nil), (observe(0), nil),
            ]).map { try $0.get() }
            let outcomes = try replies.enumerated().filter { $0.offset != 4 }.map { try report($0.element).outcome }
            #expect(outcomes == [.baselineSet, .changed, .unchanged, .changed, .sentinel])
            #expect(replies[4].created == false)
            #expect(try test.count("select count(*) from change where kind = 'ageRating'") == 1)
            #expect(try await test.store.change(test.app, "age-rating-aus-4-3")?.settings.kind == .ageRating)
            let model = try LogReplay(test.app, try await test.log()).model
            try await model.expectSame(as: test, knowsAll: false)
        }
    }

    @Test func aRepeatIsToldWhatHappened() async throws {
        try await TestStore.with("rating_repeat") { test in
            _ = try await test.run(observe(4))
            let key = Samples.key("k")
            let changed = try report(try await test.run(observe(9), key: key))
            let replay = try #require(try await test.run(observe(9), key: key).replay)
            #expect(replay.status == 201)
            #expect(
                replay.resource
                    == .ageRating(Self.australia, .changed, previousCode: changed.previousCode, change: nil))
        }
    }
}
