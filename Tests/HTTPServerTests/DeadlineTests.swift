import Glibc
import Testing

@testable import HTTPServer

/// What the watchdog ends, with times short enough to wait for, and long enough for what must come within them on a machine
/// that has much else to do.
@Suite struct DeadlineTests {
    @Test func aConnectionThatSaysNothingIsClosed() async throws {
        try await withServer(TestResponder(), { $0.headTimeout = .milliseconds(60) }) { _, port in
            try await offPool { try RawClient(port: port).expectEnd() }
        }
    }

    @Test func aDrippingRequestLineIsClosed() async throws {
        try await withServer(TestResponder(), { $0.headTimeout = .milliseconds(100) }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                let line = Array("GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\n".utf8)
                var dripped = 0
                while dripped < line.count, client.send([line[dripped]]) { dripped += 1 }
                #expect(dripped < line.count)
            }
        }
    }

    @Test func aDrippingHeadIsToldAndClosed() async throws {
        let responder = TestResponder()
        try await withServer(responder, { $0.headTimeout = .seconds(1) }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\nX-A: ")
                #expect(try client.rest().hasSuffix("head_timeout"))
            }
            let records = await responder.records(1)
            #expect(records.map(\.ending) == [.timedOut])
            #expect(records.map(\.status) == [408])
        }
    }

    @Test func theHeadOfALaterRequestHasItsOwnTime() async throws {
        try await withServer(TestResponder(), { $0.headTimeout = .seconds(1) }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.status == 200)
                client.send("GET /x HTTP/1.1\r\n")
                #expect(try client.rest().hasSuffix("head_timeout"))
            }
        }
    }

    @Test func aSlowBodyIsToldAndClosed() async throws {
        let responder = TestResponder()
        try await withServer(responder, { $0.bodyTimeout = .milliseconds(100) }) { server, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
                let text = try client.rest()
                #expect(text.hasPrefix("HTTP/1.1 408 "))
                #expect(text.hasSuffix("body_timeout"))
                #expect(!client.wasReset)
            }
            #expect(await responder.records(1).map(\.ending) == [.timedOut])
            #expect(server.statistics.faults == ["body_timeout": 1])
        }
    }

    @Test func anIdleConnectionIsClosed() async throws {
        try await withServer(TestResponder(), { $0.idleTimeout = .milliseconds(60) }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.status == 200)
                try client.expectEnd()
            }
        }
    }

    @Test func aHandlerPastTheTotalIsAnsweredForAndCancelled() async throws {
        let cancelled = Gate()
        let responder = TestResponder { _ in
            await withTaskCancellationHandler {
                await Never.wait()
            } onCancel: {
                Task { await cancelled.pass() }
            }
            return Response(status: 200)
        }
        try await withServer(responder, { $0.totalTimeout = .milliseconds(100) }) { server, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                let reply = try client.reply()
                #expect(reply?.status == 503)
                #expect(reply?.text == "deadline")
                // The connection is none the worse for it.
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.text == "deadline")
            }
            await cancelled.arrivals(2)
            #expect(await responder.records(2).map(\.ending) == [.refused, .refused])
            await server.stop(grace: .seconds(5))
            #expect(server.statistics.suspended == 0)
        }
    }

    @Test func aLateAnswerIsDropped() async throws {
        let gate = Gate()
        let responder = TestResponder { _ in
            await gate.pass()
            return Response(status: 200, body: Array("late".utf8))
        }
        try await withServer(responder, { $0.totalTimeout = .seconds(1) }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.text == "deadline")
                gate.open()
                client.send("GET /y HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.text == "late")
            }
        }
    }

    @Test func anAnswerThatWasSlowToComeStillHasTimeToBeSent() async throws {
        let responder = TestResponder { request in
            // Begins on the loop's thread, and so answers without ever being suspended, after the total has passed.
            usleep(60_000)
            return Response(status: 200, body: [UInt8](repeating: 0x61, count: 4_000_000))
        }
        try await withServer(responder, { $0.totalTimeout = .milliseconds(1) }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                usleep(150_000)
                let reply = try client.reply()
                #expect(reply?.status == 503 || reply?.body.count == 4_000_000)
            }
        }
    }

    @Test func aClientThatTakesNoAnswerIsCutOff() async throws {
        let large = Response(status: 200, body: [UInt8](repeating: 0x61, count: 16_000_000))
        let responder = TestResponder { _ in large }
        try await withServer(
            responder,
            {
                $0.totalTimeout = .seconds(1)
                $0.sendTimeout = .milliseconds(100)
            }
        ) { _, port in
            let client = try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                return client
            }
            #expect(await responder.records(1).map(\.ending) == [.timedOut])
            withExtendedLifetime(client) {}
        }
    }
}

extension Never {
    /// Waits until the task is cancelled.
    static func wait() async {
        let gate = Gate()
        await withTaskCancellationHandler {
            await gate.pass()
        } onCancel: {
            gate.open()
        }
    }
}
