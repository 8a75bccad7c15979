import Consent
import Store
import Testing

@testable import TestSupport

/// What attempts come to, as it is written down.
@Suite(.timeLimit(.minutes(5))) struct WebhookOutcomeTests {
    private func with(_ name: String, _ body: @Sendable (TestStore) async throws -> Void) async throws {
        try await TestStore.with(name) { test in
            try await test.endpoint(1, types: ["question.*"])
            _ = try await test.run(Samples.ask("p"))
            try await test.fanOut()
            try await body(test)
        }
    }

    private func disablings(_ test: TestStore) async throws -> [EventRecord] {
        try await test.log().filter { $0.type == .webhookEndpointDisabled }
    }

    @Test func aDeliveryEndsWithItsSuccess() async throws {
        try await with("hooks_success") { test in
            let claimed = try await test.claim()
            try await test.record(claimed, .ok)
            let delivery = try #require(try await test.deliveries().first)
            #expect(delivery.status == .delivered && delivery.dueAt == nil && delivery.finishedAt != nil)
            let attempt = try #require(delivery.attempts.first)
            #expect(attempt.number == 1 && attempt.status == 204 && attempt.failure == nil)
            #expect(attempt.milliseconds == 12 && delivery.attempts.count == 1)
            #expect(attempt.startedAt.microseconds + 12_000 == delivery.finishedAt?.microseconds)
            #expect(try await test.endpointNow().lastSuccessAt == delivery.finishedAt)
            #expect(try await test.store.nextDeliveries().next.map(\.dueAt) == [nil])
            #expect(try await test.deliveries(1, .pending).isEmpty)
            #expect(try await test.deliveries(1, .delivered).count == 1)
        }
    }

    @Test func everyTryIsLoggedAndTheLastOneFails() async throws {
        try await with("hooks_tries") { test in
            for number in 1...10 {
                let before = try test.now()
                let claimed = try await test.claim()
                #expect(claimed.map(\.attempt) == [number])
                try await test.record(claimed, number % 2 == 0 ? .busy : .failed(.timeout))
                let delivery = try #require(try await test.deliveries().first)
                #expect(delivery.attempts.map(\.number) == Array(1...number))
                if number < 10 {
                    let due = try #require(delivery.dueAt)
                    #expect(delivery.status == .pending)
                    #expect(due >= before.adding(seconds: DeliveryVerdict.delays[number - 1]))
                    #expect(try await test.claim().isEmpty)
                    try test.makeDue()
                } else {
                    #expect(delivery.status == .failed && delivery.dueAt == nil)
                    #expect(delivery.attempts.map(\.failure).filter { $0 == .timeout }.count == 5)
                    #expect(delivery.attempts.map(\.status).filter { $0 == 503 }.count == 5)
                }
            }
            #expect(try await test.claim().isEmpty)
            #expect(try await test.endpointNow().failingSince != nil)
            #expect(try await test.endpointNow().revision == 1)
        }
    }

    @Test func anOutcomeAfterALostLeaseCountsForNothing() async throws {
        try await with("hooks_lost_lease") { test in
            let late = try await test.claim()
            try test.makeDue()
            let now = try await test.claim()
            #expect(late.map(\.id) == now.map(\.id))
            try await test.record(late, .ok)
            #expect(try await test.deliveries().map(\.status) == [.pending])
            #expect(try await test.deliveries().first?.attempts.isEmpty == true)
            try await test.record(now, .busy)
            try await test.record(now, .ok)
            #expect(try await test.deliveries().first?.attempts.map(\.status) == [503])
        }
    }

    @Test func anOutcomeWhoseLeaseRanOutUnclaimedStillCounts() async throws {
        try await with("hooks_late") { test in
            let claimed = try await test.claim()
            try test.makeDue()
            try await test.record(claimed, .ok)
            #expect(try await test.deliveries().map(\.status) == [.delivered])
        }
    }

    @Test func oneOutcomeReportedTwiceInABatchCountsOnce() async throws {
        try await with("hooks_twice") { test in
            let claimed = try await test.claim()
            try await test.record(claimed + claimed, .busy)
            #expect(try await test.deliveries().first?.attempts.count == 1)
        }
    }

    @Test func goneDisablesAtOnceWithOneEvent() async throws {
        try await with("hooks_gone") { test in
            _ = try await test.run(Samples.ask("q"))
            try await test.fanOut()
            let claimed = try await test.claim()
            #expect(claimed.count == 2)
            try await test.record(claimed, .gone)
            let endpoint = try await test.endpointNow()
            #expect(endpoint.status == .disabled && endpoint.disabledReason == .gone && endpoint.revision == 2)
            #expect(try await test.deliveries(1, .failed).count == 2)
            let events = try await disablings(test)
            #expect(events.count == 1 && events.first?.revision == 2 && events.first?.at == endpoint.disabledAt)
            #expect(
                events.first?.data
                    == .webhookDisabled(
                        WebhookDisabling(
                            endpoint: endpoint.id, reason: .gone, failingSince: endpoint.failingSince)))
        }
    }

    @Test func fiveDaysOfFailuresDisableOnceHoweverManyReportThem() async throws {
        try await TestStore.with("hooks_five_days") { test in
            let other = TestStore(test.settings)
            try await test.endpoint(1, types: ["question.*"])
            try await test.endpoint(2)
            for number in 0..<20 { _ = try await test.run(Samples.ask("p", CallerID(trusted: "s-\(number)"))) }
            try await test.fanOut()
            let claimed = try await test.claim().filter { $0.endpoint == TestStore.endpointID(1) }
            #expect(claimed.count == 20)
            try await test.record([claimed[0]], .busy)
            #expect(try await test.endpointNow().status == .enabled)
            try test.execute("update webhook_endpoint set failing_since = failing_since - interval '5 days'")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, delivery) in claimed.dropFirst().enumerated() {
                    let store = index % 2 == 0 ? test.store : other.store
                    group.addTask {
                        try await store.recordDeliveries(
                            test.app, [DeliveryReport(delivery, .failed(.unreachable), milliseconds: 1, jitter: 1)])
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await test.endpointNow().disabledReason == .failing)
            let events = try await disablings(test)
            #expect(events.count == 1)
            // The other endpoint is told of it.
            try await test.fanOut()
            let told = try await test.claim().filter { $0.message.type == "webhookEndpoint.disabled" }
            #expect(told.map(\.endpoint) == [TestStore.endpointID(2)])
            #expect(told.first?.message.id == TestStore.endpointID(1).text && told.first?.message.state == "disabled")
            // Nothing of it is sent, and what had tries left goes on when it is enabled again.
            #expect(try await test.deliveries(1, .pending).count == 20)
            #expect(try await test.endpointNow().failingSince != nil)
            try await test.set(.enabled)
            #expect(try await test.endpointNow().failingSince == nil)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func oneSuccessAmongFailuresKeepsItEnabled() async throws {
        try await with("hooks_one_success") { test in
            _ = try await test.run(Samples.ask("q"))
            try await test.fanOut()
            var claimed = try await test.claim()
            try await test.record([claimed[0]], .busy)
            try test.execute("update webhook_endpoint set failing_since = failing_since - interval '4 days'")
            try await test.record([claimed[1]], .ok)
            #expect(try await test.endpointNow().failingSince == nil)
            try test.makeDue()
            claimed = try await test.claim()
            try await test.record(claimed, .busy)
            #expect(try await test.endpointNow().status == .enabled)
        }
    }

    @Test func whoWasDeletedDuringAnAttemptIsNotTriedAgain() async throws {
        try await with("hooks_deleted_meanwhile") { test in
            let claimed = try await test.claim()
            _ = try await test.run(.webhook(.delete(TestStore.endpointID(1))))
            try await test.record(claimed, .busy)
            #expect(try test.texts("select status from webhook_delivery") == ["failed"])
        }
    }

    @Test func oldDeliveriesAreTakenAwayWithTheirAttempts() async throws {
        try await with("hooks_retention") { test in
            for number in 0..<5 { _ = try await test.run(Samples.ask("p", CallerID(trusted: "s-\(number)"))) }
            try await test.fanOut()
            try await test.record(try await test.claim(), .busy)
            #expect(try await test.prune(.deliveries(olderThanSeconds: 60, limit: 4)) == 0)
            #expect(try await test.store.oldestKept().oldest.first?.delivery != nil)
            #expect(try await test.prune(.deliveries(olderThanSeconds: 0, limit: 4)) == 4)
            #expect(try test.count("select count(*) from webhook_delivery") == 2)
            #expect(try test.count("select count(*) from webhook_attempt") == 2)
            #expect(try await test.prune(.deliveries(olderThanSeconds: 0, limit: 4)) == 2)
            #expect(try await test.prune(.deliveries(olderThanSeconds: 0, limit: 4)) == 0)
        }
    }
}
