import Consent
import Store
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(5))) struct DeliveriesTests {
    private static let key = Array("an opened secret".utf8)

    private func deliveries(
        _ store: any DeliveryStore, timeout: Duration = .seconds(20), grace: Duration = .seconds(5),
        observe: @escaping @Sendable (DeliveryNews) -> Void = { _ in }
    ) throws -> Deliveries {
        var settings = Courier.Settings()
        settings.policy = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap { AddressRange($0) })
        settings.timeout = timeout
        var own = Deliveries.Settings()
        own.grace = grace
        return Deliveries(
            store, courier: try Courier(settings), settings: own,
            open: { $0.secrets.allSatisfy { $0.elementsEqual("sealed".utf8) } ? [Self.key] : [] }, observe: observe)
    }

    @discardableResult
    private func register(
        _ test: TestStore, _ url: String, _ number: UInt64 = 1, secret: String = "sealed", types: String = "question.*"
    ) async throws -> Identifier {
        let id = Identifier(high: 7 << 12, low: 1 << 63 | number)
        let settings = WebhookSettings(url: url, types: [try #require(EventPattern(types))])
        _ = try await test.run(
            .webhook(.create(id: id, settings, .enabled, sealedSecret: Array(secret.utf8))))
        return id
    }

    private static let fine: LocalReceiver.Script = { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }

    private func statuses(_ test: TestStore) throws -> [String] {
        try test.texts("select concat_ws(' ', status, tries) from webhook_delivery order by seq, endpoint_id")
    }

    private func headers(_ request: String) -> [String: String] {
        let lines = request.split(separator: "\r\n", omittingEmptySubsequences: false).dropFirst().prefix { $0 != "" }
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (parts[0].lowercased(), String(parts[1].dropFirst()))
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test func sendsEachEventSignedAndOnce() async throws {
        try await TestStore.with("deliveries_sends") { test in
            let receiver = try LocalReceiver(Self.fine)
            try await register(test, "http://127.0.0.1:\(receiver.port)/hook")
            for number in 0..<3 { _ = try await test.run(Samples.ask(CallerID(trusted: "p-\(number)"), "s")) }
            let worker = try deliveries(test.store)
            #expect(try await worker.runOnce() == Deliveries.Report(made: 3, attempts: 3))
            #expect(try await worker.runOnce() == Deliveries.Report())
            #expect(try statuses(test) == ["delivered 1", "delivered 1", "delivered 1"])
            let log = try await test.log().filter { $0.type == .questionCreated }
            let feed = try #require(try test.texts("select feed_id from app").first)
            var ids: Set<String> = []
            for request in receiver.requests {
                let headers = headers(request)
                let id = try #require(headers["webhook-id"])
                ids.insert(id)
                let seconds = try #require(headers["webhook-timestamp"].flatMap { Int64($0) })
                let body = try #require(request.split(separator: "\r\n\r\n", maxSplits: 1).last)
                let signature = try WebhookSignature.header(
                    id: id, seconds: seconds, body: Array(body.utf8), keys: [Self.key])
                #expect(headers["webhook-signature"] == signature)
                #expect(body.hasPrefix(#"{"type":"question.created","timestamp":""#))
            }
            #expect(ids == Set(log.map { "\(feed)_\($0.seq)" }))
            await worker.courier.stop(within: .zero)
            receiver.close()
        }
    }

    @Test func aFailureIsTriedAgainWhenItIsDue() async throws {
        try await TestStore.with("deliveries_retries") { test in
            let answers = Mutex(["503 X", "200 OK"])
            let receiver = try LocalReceiver { exchange in
                let status = answers.withLock { $0.removeFirst() }
                exchange.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }
            try await register(test, "http://127.0.0.1:\(receiver.port)/")
            _ = try await test.run(Samples.ask("p-1", "s"))
            let worker = try deliveries(test.store)
            #expect(try await worker.runOnce() == Deliveries.Report(made: 1, attempts: 1))
            #expect(try statuses(test) == ["pending 1"])
            try test.execute("update webhook_delivery set due_at = clock_timestamp()")
            #expect(try await worker.runOnce() == Deliveries.Report(made: 0, attempts: 1))
            #expect(try statuses(test) == ["delivered 2"])
            let ids = receiver.requests.compactMap { headers($0)["webhook-id"] }
            #expect(ids.count == 2 && Set(ids).count == 1)
            await worker.courier.stop(within: .zero)
            receiver.close()
        }
    }

    @Test func whatCannotBeSentIsWrittenDown() async throws {
        try await TestStore.with("deliveries_unsendable") { test in
            let receiver = try LocalReceiver(Self.fine)
            try await register(test, "http://127.0.0.1:\(receiver.port)/", 1, secret: "lost")
            try await register(test, "http://10.0.0.1:\(receiver.port)/", 2)
            try await register(test, "https://0x7f.1:\(receiver.port)/", 3)
            try await register(test, "http://127.0.0.1:1/", 4)
            _ = try await test.run(Samples.ask("p-1", "s"))
            let worker = try deliveries(test.store)
            _ = try await worker.runOnce()
            let failures = try test.texts(
                """
                select a.failure from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
                order by d.endpoint_id
                """)
            #expect(failures == ["unsigned", "blocked", "blocked", "unreachable"])
            #expect(receiver.connections == 0)
            await worker.courier.stop(within: .zero)
            receiver.close()
        }
    }

    /// One receiver hangs with a backlog, another hangs and is known to; the third hears of everything within a second or so.
    @Test func aHangingReceiverSlowsNobody() async throws {
        try await TestStore.with("deliveries_isolation") { test in
            let hanging = try LocalReceiver { $0.waitForEnd() }
            let quick = try LocalReceiver(Self.fine)
            let known = try await register(test, "http://127.0.0.1:\(hanging.port)/known", 1)
            try await register(test, "http://127.0.0.1:\(hanging.port)/new", 2)
            try test.execute("update webhook_endpoint set failing_since = now() where id = '\(known.text)'")
            for number in 0..<30 { _ = try await test.run(Samples.ask(CallerID(trusted: "b-\(number)"), "s")) }
            let worker = try deliveries(test.store, timeout: .seconds(60), grace: .zero)
            let work = Task { await worker.run() }
            // The new one gets its eight places, the failing one a single one, and neither gets more.
            while hanging.requests.count < 9 { try await Task.sleep(for: .milliseconds(5)) }
            try await register(test, "http://127.0.0.1:\(quick.port)/", 3)
            var latencies: [Duration] = []
            for number in 0..<10 {
                _ = try await test.run(Samples.ask(CallerID(trusted: "q-\(number)"), "s"))
                worker.hear(.grew(test.app))
                let began = ContinuousClock.now
                while quick.requests.count <= number { try await Task.sleep(for: .milliseconds(1)) }
                latencies.append(ContinuousClock.now - began)
            }
            #expect(latencies.sorted()[5] < .seconds(1), "\(latencies)")
            #expect(hanging.requests.count == 9)
            #expect(hanging.requests.count { $0.hasPrefix("POST /known ") } == 1)
            work.cancel()
            await work.value
            // Given up without an outcome: the leases run out.
            #expect(
                try test.count(
                    "select count(*) from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id where d.endpoint_id <> '\(Identifier(high: 7 << 12, low: 1 << 63 | 3).text)'"
                ) == 0)
            hanging.close()
            quick.close()
        }
    }

    @Test func instancesShareTheWork() async throws {
        try await TestStore.with("deliveries_shared") { test in
            let receiver = try LocalReceiver(Self.fine)
            try await register(test, "http://127.0.0.1:\(receiver.port)/")
            for number in 0..<40 { _ = try await test.run(Samples.ask(CallerID(trusted: "p-\(number)"), "s")) }
            let other = TestStore(test.settings)
            let workers = try [test.store, other.store].map { try deliveries($0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in workers { group.addTask { _ = try await worker.runOnce() } }
                try await group.waitForAll()
            }
            // What one had leased when the other looked for the last time is with the first.
            #expect(try statuses(test) == Array(repeating: "delivered 1", count: 40))
            #expect(Set(receiver.requests.compactMap { headers($0)["webhook-id"] }).count == 40)
            #expect(receiver.requests.count == 40)
            for worker in workers { await worker.courier.stop(within: .zero) }
            await other.store.stop(within: .seconds(5))
            receiver.close()
        }
    }

    /// Whoever dies with a lease leaves it to run out; only then is there a second attempt, with the same id.
    @Test func aLeaseThatRunsOutIsTakenOver() async throws {
        try await TestStore.with("deliveries_lease") { test in
            let receiver = try LocalReceiver(Self.fine)
            try await register(test, "http://127.0.0.1:\(receiver.port)/")
            _ = try await test.run(Samples.ask("p-1", "s"))
            _ = try await test.store.fanOut(test.app, limit: 10)
            let lost = try await test.store.claimDeliveries(
                test.app, ClaimLimits(count: 1, perEndpoint: 1, leaseSeconds: 60))
            #expect(lost.count == 1)
            let worker = try deliveries(test.store)
            #expect(try await worker.runOnce().attempts == 0)
            try test.execute("update webhook_delivery set due_at = clock_timestamp()")
            #expect(try await worker.runOnce().attempts == 1)
            // Too late: the lease is another's.
            try await test.store.recordDeliveries(
                test.app, [DeliveryReport(try #require(lost.first), .failed(.timeout), milliseconds: 1, jitter: 0)])
            #expect(try statuses(test) == ["delivered 1"])
            await worker.courier.stop(within: .zero)
            receiver.close()
        }
    }

    @Test func stoppingFinishesWhatIsUnderWay() async throws {
        try await TestStore.with("deliveries_stop") { test in
            let gate = Gate()
            let receiver = try LocalReceiver { exchange in
                gate.wait()
                Self.fine(exchange)
            }
            try await register(test, "http://127.0.0.1:\(receiver.port)/")
            _ = try await test.run(Samples.ask("p-1", "s"))
            let worker = try deliveries(test.store, grace: .seconds(60))
            let work = Task { await worker.run() }
            while receiver.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            work.cancel()
            gate.open()
            await work.value
            #expect(try statuses(test) == ["delivered 1"])
            receiver.close()
        }
    }
}
