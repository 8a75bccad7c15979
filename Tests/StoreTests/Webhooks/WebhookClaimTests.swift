import Consent
import Store
import Testing

@testable import TestSupport

/// Deliveries as leased rows: nobody has what another has, and nothing is forgotten.
@Suite(.timeLimit(.minutes(5))) struct WebhookClaimTests {
    /// Endpoints and a few events on their way to each.
    private func with(
        _ name: String, endpoints: Int = 1, events: Int = 3, _ body: @Sendable (TestStore) async throws -> Void
    ) async throws {
        try await TestStore.with(name) { test in
            for number in 1...endpoints { try await test.endpoint(UInt64(number), types: ["question.*"]) }
            for number in 0..<events { _ = try await test.run(Samples.ask("p", CallerID(trusted: "s-\(number)"))) }
            try await test.fanOut()
            try await body(test)
        }
    }

    @Test func aClaimCarriesAllThatAnAttemptTakes() async throws {
        try await with("hooks_claim", events: 1) { test in
            _ = try await test.run(
                .webhook(.rotate(TestStore.endpointID(1), sealedSecret: [9], overlapSeconds: 3_600)))
            let event = try #require(try await test.log().last)
            let claimed = try #require(try await test.claim().first)
            #expect(claimed.app == test.app && claimed.endpoint == TestStore.endpointID(1) && claimed.attempt == 1)
            #expect(claimed.url == "https://1.example/hook" && claimed.secrets == [[9], [1]])
            #expect(claimed.source == .event(feed: event.feed, seq: event.seq))
            guard case .question(let question, _) = event.data else {
                Issue.record("not a question's")
                return
            }
            #expect(
                claimed.message
                    == WebhookMessage(
                        type: "question.created", at: event.at, id: question.id.text, person: "p",
                        personRef: event.personRef, state: "pending", revision: 1))
            try test.execute("update webhook_endpoint set secret_ends[2] = now() - interval '1 second'")
            try test.makeDue()
            #expect(try await test.claim().map(\.secrets) == [[[9]]])
        }
    }

    @Test func whatIsLeasedIsNobodyElsesUntilTheLeaseRunsOut() async throws {
        try await with("hooks_lease") { test in
            let other = TestStore(test.settings)
            let first = try await test.claim(2)
            let second = try await other.store.claimDeliveries(
                test.app, ClaimLimits(count: 9, perEndpoint: 9, leaseSeconds: 60))
            #expect(first.count == 2 && second.count == 1)
            #expect(Set((first + second).map(\.id)).count == 3)
            #expect(try await test.claim().isEmpty)
            let next = try await test.store.nextDeliveries()
            let due = try #require(next.next.first?.dueAt)
            #expect(due > next.now && due <= next.now.adding(seconds: 60))
            // As if the lease had run out: the same delivery, with the same id, and another lease.
            try test.makeDue()
            let again = try await test.claim()
            #expect(Set(again.map(\.id)) == Set((first + second).map(\.id)))
            #expect(Set(again.map(\.source)) == Set((first + second).map(\.source)))
            #expect(Set(again.map(\.lease)).isDisjoint(with: (first + second).map(\.lease)))
            #expect(again.allSatisfy { $0.attempt == 1 })
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func claimsAtOnceAreDisjoint() async throws {
        try await with("hooks_claim_race", endpoints: 3, events: 40) { test in
            let other = TestStore(test.settings)
            let all = try await withThrowingTaskGroup(of: [Identifier].self) { group in
                for store in [test.store, other.store] {
                    for _ in 0..<20 {
                        group.addTask {
                            try await store.claimDeliveries(
                                test.app, ClaimLimits(count: 7, perEndpoint: 1_000, leaseSeconds: 60)
                            ).map(\.id)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(all.count == Set(all).count)
            let rest = try await test.claim(200, perEndpoint: 1_000).map(\.id)
            #expect(Set(all + rest).count == 120)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func anEndpointHasNoMoreUnderWayThanItsShare() async throws {
        try await with("hooks_share", endpoints: 3, events: 10) { test in
            func counts(_ claimed: [ClaimedDelivery]) -> [Identifier: Int] {
                claimed.reduce(into: [:]) { $0[$1.endpoint, default: 0] += 1 }
            }
            let first = try await test.claim(100, perEndpoint: 4)
            #expect(counts(first).values.sorted() == [4, 4, 4])
            // The first endpoint hangs; the others go on.
            let hanging = TestStore.endpointID(1)
            try await test.record(first.filter { $0.endpoint != hanging }, .ok)
            let second = try await test.claim(100, perEndpoint: 4)
            #expect(counts(second) == [TestStore.endpointID(2): 4, TestStore.endpointID(3): 4])
            // Its share comes back when its leases run out.
            try test.execute(
                "update webhook_delivery set due_at = clock_timestamp() where endpoint_id = '\(hanging.text)' and lease is not null"
            )
            #expect(counts(try await test.claim(100, perEndpoint: 4)) == [hanging: 4])
        }
    }

    @Test func endpointsTakeTurns() async throws {
        try await with("hooks_turns", endpoints: 3, events: 10) { test in
            // One has been due for long.
            try test.execute(
                """
                update webhook_delivery set due_at = due_at - interval '1 hour'
                where endpoint_id = '\(TestStore.endpointID(2).text)'
                """)
            let claimed = try await test.claim(6, perEndpoint: 100)
            #expect(Set(claimed.map(\.endpoint)).count == 3 && claimed.count == 6)
            #expect(claimed.filter { $0.endpoint == TestStore.endpointID(2) }.count == 2)
        }
    }

    @Test func whoIsGoneOrDisabledIsNotCalled() async throws {
        try await with("hooks_uncalled", endpoints: 3, events: 2) { test in
            #expect(try await test.run(.webhook(.delete(TestStore.endpointID(1)))).outcome?.status == 204)
            try await test.set(.disabled, of: 2)
            #expect(Set(try await test.claim().map(\.endpoint)) == [TestStore.endpointID(3)])
            #expect(try await test.store.webhookEndpoint(test.app, TestStore.endpointID(1)) == nil)
            #expect(
                try await test.store.webhookDeliveries(
                    test.app, endpoint: TestStore.endpointID(1), status: nil, before: nil, limit: 9) == nil)
            // What waited when it was disabled goes on when it is enabled.
            try await test.set(.enabled, of: 2)
            #expect(try await test.claim().map(\.endpoint) == [TestStore.endpointID(2), TestStore.endpointID(2)])
        }
    }

    @Test func anErasedPersonsIdIsInNoDelivery() async throws {
        try await TestStore.with("hooks_erasure") { test in
            try await test.endpoint(1)
            _ = try await test.run(Samples.ask("secret-person"))
            try await test.fanOut()
            let before = try await test.claim()
            #expect(before.map(\.message.person) == ["secret-person", "secret-person"])
            try await test.record(before, .busy)
            _ = try await test.run(.erase(person: "secret-person", by: .child))
            try await test.fanOut()
            #expect(try test.dump().filter { $0.contains("secret-person") } == [])
            try test.makeDue()
            let after = try await test.claim()
            #expect(after.count == 4 && after.allSatisfy { $0.message.person == nil })
            #expect(Set(after.map(\.message.personRef)) == [before[0].message.personRef])
            #expect(after.contains { $0.message.type == "person.erased" && $0.message.id == nil })
        }
    }

    @Test func aDeliveryGoesWithItsEvent() async throws {
        try await with("hooks_events_pruned") { test in
            let claimed = try await test.claim(1)
            try await test.record(claimed, .busy)
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 500))
            #expect(try test.count("select count(*) from webhook_delivery") == 0)
            #expect(try test.count("select count(*) from webhook_attempt") == 0)
            // One that was made while the log was pruned is leased, and no more: it is not sent.
            try test.execute(
                """
                insert into webhook_delivery (app_id, id, endpoint_id, seq, status, attempts, tries, due_at, created_at)
                values ('reader', gen_random_uuid(), '\(TestStore.endpointID(1).text)', 1, 'pending', 0, 0, now(), now())
                """)
            #expect(try await test.claim().isEmpty)
            #expect(try test.count("select count(*) from webhook_delivery where lease is not null") == 1)
        }
    }

    @Test func endpointsThatFailAreClaimedApart() async throws {
        try await with("hooks_health", endpoints: 2, events: 2) { test in
            try test.execute(
                "update webhook_endpoint set failing_since = now() where id = '\(TestStore.endpointID(2).text)'")
            for (health, number) in [(EndpointHealth.failing, UInt64(2)), (.healthy, 1)] {
                let limits = ClaimLimits(health, count: 9, perEndpoint: 1, leaseSeconds: 60)
                let claimed = try await test.store.claimDeliveries(test.app, limits)
                #expect(claimed.map(\.endpoint) == [TestStore.endpointID(number)])
                #expect(try await test.store.claimDeliveries(test.app, limits).isEmpty)
            }
        }
    }
}
