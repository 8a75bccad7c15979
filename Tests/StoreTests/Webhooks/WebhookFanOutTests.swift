import Consent
import Store
import Testing

@testable import TestSupport

/// How events become deliveries: one for each endpoint that wants it, in order, whoever makes them.
@Suite(.timeLimit(.minutes(5))) struct WebhookFanOutTests {
    private func seqs(_ deliveries: [WebhookDelivery]) -> [Int64] { deliveries.compactMap(\.seq).sorted() }

    @Test func eachEndpointGetsWhatItWantsFromItsMakingOn() async throws {
        try await TestStore.with("hooks_fan_out") { test in
            _ = try await test.run(Samples.ask("before"))
            try await test.endpoint(1)
            try await test.endpoint(2, types: ["question.*"])
            try await test.endpoint(3, types: ["person.updated", "question.approved"])
            let first = try #require(try await test.log().last?.seq)
            let question = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(Samples.approval(question.id))
            #expect(try await test.fanOut() == 3 + 2 + 2)
            #expect(try await test.fanOut() == 0)
            #expect(seqs(try await test.deliveries(1)) == [first + 1, first + 2, first + 3])
            #expect(seqs(try await test.deliveries(2)) == [first + 2, first + 3])
            #expect(seqs(try await test.deliveries(3)) == [first + 1, first + 3])
            let all = try await test.deliveries(1)
            #expect(all.allSatisfy { $0.status == .pending && $0.attempts.isEmpty && $0.finishedAt == nil })
            // Ids tell when a delivery was made.
            for delivery in all {
                #expect(delivery.id >= Identifier(lowestAt: delivery.createdAt))
                #expect(delivery.id < Identifier(lowestAt: delivery.createdAt.adding(seconds: 1)))
            }
        }
    }

    @Test func aStepIsBoundedAndSaysThatMoreFollows() async throws {
        try await TestStore.with("hooks_steps") { test in
            try await test.endpoint(1)
            try await test.endpoint(2, types: ["question.approved"])
            for number in 1...7 { _ = try await test.run(Samples.ask("p", CallerID(trusted: "s-\(number)"))) }
            // 8 events: a person's and seven questions'; the second endpoint wants none and moves all the same.
            #expect(try await test.store.fanOut(test.app, limit: 3) == FanOut(deliveries: 3, more: true))
            #expect(try await test.store.fanOut(test.app, limit: 3) == FanOut(deliveries: 3, more: true))
            #expect(try await test.store.fanOut(test.app, limit: 3) == FanOut(deliveries: 2, more: false))
            #expect(try await test.deliveries(2).isEmpty)
            #expect(try await test.store.nextDeliveries().next.map(\.isBehind) == [false])
        }
    }

    @Test func twoStoresAtOnceMakeEachDeliveryOnce() async throws {
        try await TestStore.with("hooks_fan_out_race") { test in
            let other = TestStore(test.settings)
            for number in 1...4 { try await test.endpoint(UInt64(number)) }
            let first = try #require(try await test.log().last?.seq)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0..<20 {
                            _ = try await test.run(Samples.ask(CallerID(trusted: "p-\(writer)-\(number)")))
                        }
                        return 0
                    }
                }
                for store in [test.store, other.store] {
                    for _ in 0..<40 {
                        group.addTask { try await store.fanOut(test.app, limit: 7).deliveries }
                    }
                }
                for try await _ in group {}
            }
            try await test.fanOut()
            let last = try #require(try await test.log().last?.seq)
            for number in 1...4 {
                let seqs = try test.texts(
                    "select seq from webhook_delivery where endpoint_id = '\(TestStore.endpointID(UInt64(number)).text)' order by seq"
                )
                #expect(seqs == ((first + 1)...last).map { String($0) })
            }
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func nothingIsGatheredForADisabledEndpoint() async throws {
        try await TestStore.with("hooks_disabled") { test in
            try await test.endpoint(1)
            try await test.set(.disabled)
            _ = try await test.run(Samples.ask("p"))
            #expect(try await test.fanOut() == 0)
            #expect(try await test.store.nextDeliveries().next.isEmpty)
            // Enabled again it begins with what comes then.
            try await test.set(.enabled)
            #expect(try await test.fanOut() == 0)
            _ = try await test.run(Samples.ask("q"))
            #expect(try await test.fanOut() == 2)
        }
    }

    @Test func anotherAppsEventsAreNobodysBusiness() async throws {
        try await TestStore.with("hooks_apps") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            try await test.endpoint(1)
            try await test.endpoint(2, app: other)
            _ = try await test.run(Samples.ask("p"), app: other)
            #expect(try await test.fanOut() == 0)
            #expect(try await test.store.fanOut(other, limit: 100).deliveries == 2)
            #expect(try await test.claim().isEmpty)
            let next = try await test.store.nextDeliveries()
            #expect(next.next.map(\.app) == [other, test.app].sorted { $0.text < $1.text })
            #expect(next.next.first { $0.app == other }?.dueAt.map { $0 <= next.now } == true)
            #expect(next.next.first { $0.app == test.app } == NextDelivery(app: test.app, isBehind: false, dueAt: nil))
        }
    }

    @Test func anEndpointBehindALogThatIsGoneDoesNotStayBehind() async throws {
        try await TestStore.with("hooks_pruned") { test in
            try await test.endpoint(1)
            _ = try await test.run(Samples.ask("p"))
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 500))
            #expect(try await test.store.nextDeliveries().next.map(\.isBehind) == [true])
            #expect(try await test.fanOut() == 0)
            #expect(try await test.store.nextDeliveries().next.map(\.isBehind) == [false])
        }
    }
}
