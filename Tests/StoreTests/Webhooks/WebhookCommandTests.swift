import Consent
import Store
import Testing

@testable import TestSupport

/// What is wanted of an app's endpoints.
@Suite(.timeLimit(.minutes(5))) struct WebhookCommandTests {
    private let id = TestStore.endpointID(1)

    @Test func anEndpointIsKeptAsItWasMade() async throws {
        try await TestStore.with("hooks_make") { test in
            let settings = WebhookSettings(
                url: "https://a.example/\u{e9}", types: [EventPattern(trusted: "question.*")], description: "x")
            let made = try #require(
                try await test.run(.webhook(.create(id: id, settings, .disabled, sealedSecret: [1, 2, 3])))
                    .webhookEndpoint)
            #expect(made.settings == settings && made.status == .disabled && made.disabledReason == .operatorRequest)
            #expect(made.secrets == [WebhookSecret(sealed: [1, 2, 3], endsAt: nil)] && made.revision == 1)
            #expect(try await test.store.webhookEndpoint(test.app, id) == made)
            #expect(try await test.store.webhookEndpoints(test.app) == [made])
            #expect(try await test.store.webhookEndpoints(AppID(trusted: "other")).isEmpty)
            let enabled = try await test.set(.enabled)
            #expect(try await test.store.webhookEndpoint(test.app, id) == enabled)
        }
    }

    @Test func anAppHasNoMoreThanItMay() async throws {
        try await TestStore.with("hooks_cap") { test in
            let other = TestStore(test.settings)
            let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
                for number in 1...60 {
                    let store = number % 2 == 0 ? test : other
                    group.addTask {
                        try await store.run(
                            .webhook(
                                .create(
                                    id: TestStore.endpointID(UInt64(number)),
                                    WebhookSettings(url: "https://a.example/", types: [.all]), .enabled,
                                    sealedSecret: [1])))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.filter { $0.outcome?.status == 201 }.count == WebhookEndpoint.mostPerApp)
            #expect(replies.filter { $0.refusal == .tooManyWebhookEndpoints }.count == 10)
            let first = try #require(try await test.store.webhookEndpoints(test.app).first)
            _ = try await test.run(.webhook(.delete(first.id)))
            try await test.endpoint(99)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func aReplacementHonoursItsPrecondition() async throws {
        try await TestStore.with("hooks_replace") { test in
            try await test.endpoint(1)
            let other = WebhookSettings(url: "https://b.example/", types: [.all])
            func put(_ precondition: Precondition) async throws -> Reply {
                try await test.run(.webhook(.replace(id, other, .enabled, precondition)))
            }
            #expect(try await put(.revisions([2])).refusal == .preconditionFailed)
            #expect(try await put(.absent).refusal == .preconditionFailed)
            #expect(try await put(.revisions([1])).webhookEndpoint?.revision == 2)
            // The same again is no change.
            #expect(try await put(.exists).webhookEndpoint?.revision == 2)
            let unknown = WebhookCommand.replace(TestStore.endpointID(9), other, .enabled, .none)
            #expect(try await test.run(.webhook(unknown)).refusal == .unknownWebhookEndpoint)
        }
    }

    @Test func disablingByHandIsToldOnce() async throws {
        try await TestStore.with("hooks_by_hand") { test in
            try await test.endpoint(1)
            for _ in 0..<2 { try await test.set(.disabled) }
            try await test.set(.enabled)
            try await test.set(.disabled)
            let events = try await test.log().filter { $0.type == .webhookEndpointDisabled }
            #expect(events.map(\.revision) == [2, 4])
            #expect(
                events.map(\.data)
                    == Array(
                        repeating: .webhookDisabled(
                            WebhookDisabling(endpoint: id, reason: .operatorRequest, failingSince: nil)), count: 2))
        }
    }

    @Test func aRotationKeepsTheOldSecretForAWhile() async throws {
        try await TestStore.with("hooks_rotate") { test in
            try await test.endpoint(1)
            let rotate = Command.webhook(.rotate(id, sealedSecret: [7], overlapSeconds: 60))
            let rotated = try #require(try await test.run(rotate).webhookEndpoint)
            #expect(rotated.secrets.map(\.sealed) == [[7], [1]])
            #expect(rotated.secrets.last?.endsAt == rotated.updatedAt.adding(seconds: 60))
            // Run twice, as after a lost answer to the commit, it rotates once.
            #expect(try await test.run(rotate).webhookEndpoint == rotated)
            #expect(try await test.store.webhookEndpoint(test.app, id) == rotated)
        }
    }

    @Test func aTestIsSentToOneEndpointAlone() async throws {
        try await TestStore.with("hooks_test") { test in
            try await test.endpoint(1, types: ["app.updated"])
            try await test.endpoint(2)
            let log = try await test.log().count
            let delivery = try #require(try await test.run(.webhook(.test(id))).webhookDelivery)
            let claimed = try await test.claim()
            #expect(claimed.map(\.id) == [delivery] && claimed.first?.source == .test)
            #expect(claimed.first?.message.type == "webhookEndpoint.test" && claimed.first?.message.id == id.text)
            try await test.record(claimed, .ok)
            let record = try #require(try await test.store.webhookDelivery(test.app, endpoint: id, delivery))
            #expect(record.delivery.status == .delivered && record.delivery.seq == nil && record.type == nil)
            #expect(try await test.store.webhookDelivery(test.app, endpoint: TestStore.endpointID(2), delivery) == nil)
            #expect(try await test.log().count == log)
            // Two tests are two messages.
            for _ in 0..<2 { _ = try await test.run(.webhook(.test(id))) }
            #expect(Set(try await test.claim().map(\.id)).count == 2)
        }
    }

    @Test func anEventIsSentAgainWhateverCameOfIt() async throws {
        try await TestStore.with("hooks_redeliver") { test in
            try await test.endpoint(1, types: ["question.*"])
            _ = try await test.run(Samples.ask("p"))
            try await test.fanOut()
            let event = try #require(try await test.log().last)
            let first = try await test.claim()
            let redeliver = Command.webhook(.redeliver(id, feed: event.feed, seq: event.seq))
            // Under way: nothing more is to be done.
            #expect(try await test.run(redeliver).webhookDelivery == first[0].id)
            #expect(try await test.claim().isEmpty)
            try await test.record(first, .ok)
            #expect(try await test.run(redeliver).webhookDelivery == first[0].id)
            let again = try await test.claim()
            #expect(again.map(\.source) == first.map(\.source) && again.map(\.id) == first.map(\.id))
            #expect(again.map(\.attempt) == [2])
            // It has all its tries again.
            for _ in 0..<9 {
                try await test.record(try await test.claim() + again, .busy)
                try test.makeDue()
            }
            try await test.record(try await test.claim(), .busy)
            let failed = try #require(try await test.deliveries().first)
            #expect(failed.status == .failed && failed.attempts.count == 11)

            // One that the endpoint does not want, and that was never sent.
            let other = try #require(try await test.log().first)
            let new = try #require(
                try await test.run(.webhook(.redeliver(id, feed: other.feed, seq: other.seq))).webhookDelivery)
            #expect(try await test.claim().map(\.id) == [new])
            for (feed, seq) in [("another0", event.seq), (event.feed, 99), (event.feed, 0)] {
                #expect(try await test.run(.webhook(.redeliver(id, feed: feed, seq: seq))).refusal == .unknownEvent)
            }
        }
    }

    @Test func aReplaySendsWhatWasNotTaken() async throws {
        try await TestStore.with("hooks_replay") { test in
            // The log has a past before the endpoint: an hour between one event and the next.
            for number in 0..<9 { _ = try await test.run(Samples.ask("p", CallerID(trusted: "s-\(number)"))) }
            try await test.endpoint(1, types: ["question.*"])
            try test.execute(
                "update event set at = now() - (select max(seq) from event) * interval '1 hour' + seq * interval '1 hour'"
            )
            let log = try await test.log()
            #expect(log.count == 11)
            #expect(try await test.fanOut() == 0)
            func replay(_ since: Instant) async throws -> Int64? {
                let reply = try await test.run(.webhook(.replay(id, since: since)))
                guard case .webhook(.replay(let feed, let after)) = reply.outcome else { return nil }
                #expect(feed == log[0].feed)
                return after
            }
            // Every moment finds the last event before it.
            for (index, event) in log.enumerated() {
                #expect(try await replay(event.at.adding(seconds: 60)) == event.seq)
                #expect(try await replay(event.at) == Int64(index))
            }
            #expect(try await replay(log[0].at.adding(seconds: -86_400)) == 0)
            #expect(try await replay(Instant(microseconds: 0)) == 0)
            // It stays at the earliest that was asked for.
            #expect(try await replay(log[10].at.adding(seconds: 60)) == 11)
            #expect(try await test.fanOut(limit: 2) == 9)

            // Of what was sent since, all but what was taken and what is under way begins anew.
            let claimed = try await test.claim()
            try await test.record(Array(claimed[0..<3]), .ok)
            try await test.record([claimed[3]], .gone)
            try await test.set(.enabled)
            try await test.record([claimed[4]], .busy)
            #expect(try await replay(log[0].at) == 0)
            #expect(try await test.fanOut() == 2)
            #expect(Set(try await test.claim().map(\.id)) == [claimed[3].id, claimed[4].id])
            #expect(try await test.deliveries(1, .delivered).count == 3)
        }
    }

    @Test func aReplayBeforeWhatIsKeptBeginsWithTheFirstThatIs() async throws {
        try await TestStore.with("hooks_replay_pruned") { test in
            try await test.endpoint(1)
            _ = try await test.run(Samples.ask("p"))
            _ = try await test.prune(.events(olderThanSeconds: 0, limit: 2))
            let reply = try await test.run(.webhook(.replay(id, since: Instant(microseconds: 0))))
            guard case .webhook(.replay(_, let after)) = reply.outcome else {
                Issue.record("\(reply)")
                return
            }
            #expect(after == 2)
            #expect(try await test.fanOut() == 1)
        }
    }

    @Test func nothingIsSentToADisabledEndpointByHandEither() async throws {
        try await TestStore.with("hooks_disabled_by_hand") { test in
            try await test.endpoint(1)
            let disabled = try await test.set(.disabled)
            let event = try #require(try await test.log().first)
            for command in [
                WebhookCommand.test(id), .redeliver(id, feed: event.feed, seq: event.seq),
                .replay(id, since: event.at),
            ] {
                #expect(try await test.run(.webhook(command)).refusal == .webhookEndpointDisabled(disabled))
            }
            for command in [
                WebhookCommand.test(TestStore.endpointID(9)), .delete(TestStore.endpointID(9)),
                .rotate(TestStore.endpointID(9), sealedSecret: [1], overlapSeconds: 0),
                .replay(TestStore.endpointID(9), since: event.at),
            ] {
                #expect(try await test.run(.webhook(command)).refusal == .unknownWebhookEndpoint)
            }
        }
    }

    @Test func aKeyedRequestIsAnsweredFromWhatItMade() async throws {
        try await TestStore.with("hooks_idempotency") { test in
            let settings = WebhookSettings(url: "https://a.example/", types: [.all])
            func create(_ number: UInt64) async throws -> Reply {
                try await test.run(
                    .webhook(
                        .create(id: TestStore.endpointID(number), settings, .enabled, sealedSecret: [UInt8(number)])),
                    key: Samples.key("make"))
            }
            _ = try await create(1)
            let replay = try await create(2).replay
            #expect(replay?.status == 201 && replay?.resource == .webhook(.endpoint(id)))
            #expect(try await test.store.webhookEndpoints(test.app).map(\.id) == [id])

            let sent = try await test.run(.webhook(.test(id)), key: Samples.key("test"))
            let again = try await test.run(.webhook(.test(id)), key: Samples.key("test"))
            #expect(again.replay?.status == 202)
            #expect(
                again.replay?.resource
                    == .webhook(.delivery(endpoint: id, try #require(sent.webhookDelivery))))
            #expect(try await test.claim().count == 1)

            let since = Command.webhook(.replay(id, since: Instant(microseconds: 0)))
            _ = try await test.run(since, key: Samples.key("since"))
            let feed = try #require(try await test.log().first?.feed)
            #expect(
                try await test.run(since, key: Samples.key("since")).replay?.resource
                    == .webhook(.replay(feed: feed, after: 0)))
            _ = try await test.run(.webhook(.delete(id)), key: Samples.key("delete"))
            #expect(
                try await test.run(.webhook(.delete(id)), key: Samples.key("delete")).replay?.resource == .nothing)
        }
    }
}
