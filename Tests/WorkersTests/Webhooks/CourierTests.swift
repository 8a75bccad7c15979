import Consent
import Synchronization
import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(2))) struct CourierTests {
    private static let loopback = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap { AddressRange($0) })

    private func courier(
        _ policy: AddressPolicy = loopback, timeout: Duration = .seconds(20), connect: Duration = .seconds(10)
    ) throws -> Courier {
        var settings = Courier.Settings()
        settings.policy = policy
        settings.timeout = timeout
        settings.connectTimeout = connect
        settings.userAgent = "Assent-Test/1"
        return try Courier(settings)
    }

    /// What comes of one letter to a receiver that does as the script says.
    private func outcome(
        timeout: Duration = .seconds(20), _ script: @escaping LocalReceiver.Script
    ) async throws -> AttemptResult? {
        let receiver = try LocalReceiver(script)
        let courier = try courier(timeout: timeout)
        let result = await courier.send(try letter("http://127.0.0.1:\(receiver.port)/hook"))
        await courier.stop(within: .seconds(5))
        receiver.close()
        return result
    }

    private func letter(_ url: String, body: String = #"{"a":1}"#) throws -> Letter {
        Letter(to: try WebhookURL(url), headers: [("webhook-id", "m_1")], body: Array(body.utf8))
    }

    private static func answer(_ status: String, _ headers: String...) -> LocalReceiver.Script {
        { exchange in
            let lines = headers.map { $0 + "\r\n" }.joined()
            exchange.send("HTTP/1.1 \(status)\r\n\(lines)Content-Length: 0\r\nConnection: close\r\n\r\n")
        }
    }

    @Test func postsTheLetter() async throws {
        let receiver = try LocalReceiver(Self.answer("204 No Content"))
        let courier = try courier()
        let body = String(repeating: "x", count: 100_000)
        let result = await courier.send(try letter("http://127.0.0.1:\(receiver.port)/a/../b?c=%2f", body: body))
        #expect(result == .answered(status: 204, retryAfterSeconds: nil))
        let request = try #require(receiver.requests.first)
        let lines = request.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "POST /a/../b?c=%2f HTTP/1.1")
        for line in [
            "Host: 127.0.0.1:\(receiver.port)", "User-Agent: Assent-Test/1", "Content-Type: application/json",
            "webhook-id: m_1", "Content-Length: 100000",
        ] { #expect(lines.contains(line), "\(line)") }
        // A receiver that does not answer 100 would cost a second.
        #expect(!lines.contains { $0.lowercased().hasPrefix("expect:") })
        #expect(lines.last == body)
        await courier.stop(within: .seconds(5))
        receiver.close()
    }

    @Test(arguments: [200, 201, 204, 301, 302, 307, 308, 400, 404, 410, 500, 503])
    func theStatusIsTheAnswer(status: Int) async throws {
        // A redirect is not followed: nothing listens there.
        let result = try await outcome(Self.answer("\(status) X", "Location: http://127.0.0.1:1/"))
        #expect(result == .answered(status: status, retryAfterSeconds: nil))
    }

    @Test func retryAfterIsReadInSeconds() async throws {
        #expect(
            try await outcome(Self.answer("429 X", "Retry-After: 120"))
                == .answered(status: 429, retryAfterSeconds: 120))
        #expect(
            try await outcome(Self.answer("503 X", "retry-after:7")) == .answered(status: 503, retryAfterSeconds: 7))
    }

    @Test(arguments: ["0", "-5", "soon", "", "1.5.2", "Wed, 21 Oct 2015 07:28:00 GMT", "99999999999999999999999999"])
    func retryAfterIsNeverNegative(text: String) async throws {
        guard case .answered(503, let seconds) = try await outcome(Self.answer("503 X", "Retry-After: \(text)")) else {
            Issue.record("no answer")
            return
        }
        #expect((seconds ?? 0) >= 0)
    }

    @Test func retryAfterIsReadAsADate() async throws {
        let result = try await outcome(Self.answer("503 X", "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT"))
        guard case .answered(503, let seconds?) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(seconds > 86_400)
    }

    @Test func headsBeforeTheAnswerDoNotCount() async throws {
        let result = try await outcome { exchange in
            exchange.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n")
            exchange.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(result == .answered(status: 202, retryAfterSeconds: nil))
    }

    @Test func anEndlessBodyIsCutAndItsStatusCounts() async throws {
        let sent = Mutex(0)
        let result = try await outcome { exchange in
            exchange.send("HTTP/1.1 200 OK\r\n\r\n")
            let piece = String(repeating: "x", count: 65_536)
            // The client ends it: sending fails then, or the pieces run out, which is far past what is read.
            for _ in 0..<1_000 {
                exchange.send(piece)
                sent.withLock { $0 += 1 }
            }
        }
        #expect(result == .answered(status: 200, retryAfterSeconds: nil))
    }

    @Test func aBodyThatDripsTakesNoLongerThanAnAttempt() async throws {
        let began = ContinuousClock.now
        let result = try await outcome(timeout: .seconds(2)) { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
            exchange.waitForEnd()
        }
        #expect(result == .answered(status: 200, retryAfterSeconds: nil))
        #expect(ContinuousClock.now - began < .seconds(15))
    }

    @Test func anEndlessHeadIsNoAnswer() async throws {
        let result = try await outcome { exchange in
            exchange.send("HTTP/1.1 200 OK\r\n")
            for number in 0..<10_000 { exchange.send("X-\(number): \(String(repeating: "x", count: 200))\r\n") }
        }
        #expect(result == .failed(.invalidResponse))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: "])
    func whoeverHangsIsLeft(text: String) async throws {
        let result = try await outcome(timeout: .milliseconds(300)) { exchange in
            exchange.send(text)
            exchange.waitForEnd()
        }
        #expect(result == .failed(.timeout))
    }

    @Test func anEndBeforeTheAnswerIsAnInterruption() async throws {
        #expect(try await outcome { _ in } == .failed(.interrupted))
        #expect(try await outcome { $0.reset() } == .failed(.interrupted))
        #expect(try await outcome { $0.send("HTTP/1.1 200 OK\r\nX: y") } == .failed(.interrupted))
    }

    @Test(arguments: ["hello\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{16}\u{3}\u{1}", "HTTP/9.9 200 OK\r\n\r\n"])
    func whatIsNoHTTPIsNoAnswer(text: String) async throws {
        #expect(try await outcome { $0.send(text) } == .failed(.invalidResponse))
    }

    @Test func nobodyListens() async throws {
        let courier = try courier()
        #expect(await courier.send(try letter("http://127.0.0.1:1/")) == .failed(.unreachable))
        #expect(await courier.send(try letter("http://nowhere.invalid/")) == .failed(.unresolved))
        await courier.stop(within: .seconds(5))
    }

    @Test func plainHTTPIsNoTLS() async throws {
        let receiver = try LocalReceiver(Self.answer("200 OK"))
        let courier = try courier()
        let result = await courier.send(try letter("https://127.0.0.1:\(receiver.port)/"))
        #expect(result == .failed(.tls))
        await courier.stop(within: .seconds(5))
        receiver.close()
    }

    /// Each address is judged when it is about to be connected to, whatever name or spelling led to it.
    @Test(arguments: [
        "http://127.0.0.1", "https://127.0.0.1", "https://localhost", "http://localhost", "https://[::ffff:127.0.0.1]",
    ])
    func aRefusedAddressIsNotConnectedTo(origin: String) async throws {
        let receiver = try LocalReceiver(Self.answer("200 OK"))
        let elsewhere = AddressPolicy(allowed: ["10.0.0.0/8"].compactMap { AddressRange($0) })
        let courier = try courier(elsewhere)
        #expect(await courier.send(try letter("\(origin):\(receiver.port)/")) == .failed(.blocked))
        await courier.stop(within: .seconds(5))
        #expect(receiver.connections == 0)
        receiver.close()
    }

    @Test func aHangingReceiverHoldsUpNobody() async throws {
        let hanging = try LocalReceiver { $0.waitForEnd() }
        let quick = try LocalReceiver(Self.answer("200 OK"))
        let courier = try courier()
        let stuckLetter = try letter("http://127.0.0.1:\(hanging.port)/")
        let stuck = (0..<50).map { _ in Task { await courier.send(stuckLetter) } }
        while hanging.connections < 50 { await Task.yield() }
        for _ in 0..<20 {
            #expect(
                await courier.send(try letter("http://127.0.0.1:\(quick.port)/"))
                    == .answered(status: 200, retryAfterSeconds: nil))
        }
        // Stopped, what hangs is given up: nothing is known of it.
        let began = ContinuousClock.now
        await courier.stop(within: .milliseconds(100))
        #expect(ContinuousClock.now - began < .seconds(5))
        for task in stuck { #expect(await task.value == nil) }
        #expect(await courier.send(try letter("http://127.0.0.1:\(quick.port)/")) == nil)
        hanging.close()
        quick.close()
    }

    @Test func stoppingLetsEndWhatIsUnderWay() async throws {
        let gate = Gate()
        let receiver = try LocalReceiver { exchange in
            gate.wait()
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let courier = try courier()
        let letter = try letter("http://127.0.0.1:\(receiver.port)/")
        let answer = Task { await courier.send(letter) }
        while receiver.requests.isEmpty { await Task.yield() }
        let stopping = Task { await courier.stop(within: .seconds(30)) }
        gate.open()
        #expect(await answer.value == .answered(status: 200, retryAfterSeconds: nil))
        await stopping.value
        // Twice is as once.
        await courier.stop(within: .zero)
        receiver.close()
    }
}
