import Glibc
import Testing

@testable import HTTPServer

/// Stopping: nothing that was begun is lost, nothing new is taken, and it always ends.
@Suite struct StopTests {
    @Test func whatIsUnderWayIsAnsweredAndTheDoorIsShut() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            await gate.pass()
            return await TestResponder.echo(request)
        }
        try await withServer(responder) { server, port in
            async let replies = withThrowingTaskGroup(of: RawClient.Reply?.self) { group in
                for turn in 0..<20 {
                    group.addTask {
                        try await offPool {
                            let client = try RawClient(port: port)
                            client.send("GET /\(turn) HTTP/1.1\r\nHost: h\r\n\r\n")
                            let reply = try client.reply()
                            try client.expectEnd()
                            return reply
                        }
                    }
                }
                return try await group.reduce(into: [RawClient.Reply?]()) { $0.append($1) }
            }
            await gate.arrivals(20)
            async let stopped: Void = server.stop(grace: .seconds(20))
            try await untilRefused(port)
            gate.open()
            let all = try await replies
            await stopped
            #expect(all.count == 20)
            #expect(all.allSatisfy { $0?.status == 200 && $0?["Connection"] == "close" })
            #expect(server.statistics.connections == 0)
            #expect(server.statistics.exchanges == 0)
        }
    }

    @Test func underLoadNoRequestIsLeftWithoutAnAnswer() async throws {
        let responder = TestResponder { request in
            await Task.yield()
            return await TestResponder.echo(request)
        }
        try await withServer(responder, { $0.quietTimeout = .seconds(5) }) { server, port in
            let (answered, lost) = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
                for _ in 0..<24 { group.addTask { try await offPool { try Self.askUntilClosed(port) } } }
                _ = await responder.records(2_000)
                await server.stop(grace: .seconds(20))
                return try await group.reduce(into: (0, [String]())) { sum, one in
                    sum.0 += one.0
                    sum.1 += one.1
                }
            }
            #expect(lost == [])
            #expect(await responder.records(2_000).count == answered)
        }
    }

    /// Asks again and again, on a new connection whenever one is closed, until nobody listens. How often it was answered, and
    /// what went wrong.
    private static func askUntilClosed(_ port: UInt16) throws -> (Int, [String]) {
        var answered = 0
        var lost: [String] = []
        while let client = try? RawClient(port: port) {
            var asked = 0
            while true {
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                guard let reply = try client.reply() else {
                    // A first request on a connection the kernel took in as the door closed was never the server's.
                    if asked > 0 || !client.wasReset { lost.append("request \(asked) of a connection has no answer") }
                    break
                }
                asked += 1
                answered += 1
                if reply.status != 200 { lost.append("status \(reply.status)") }
                if reply["Connection"] == "close" { break }
            }
        }
        return (answered, lost)
    }

    @Test func aHungHandlerIsAnsweredForWhenTheGraceIsOver() async throws {
        let gate = Gate()
        let responder = TestResponder { _ in
            await gate.pass()
            return Response(status: 200)
        }
        try await withServer(responder) { server, port in
            async let reply = offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                let reply = try client.reply()
                try client.expectEnd()
                return reply
            }
            await gate.arrivals(1)
            await server.stop(grace: .milliseconds(30))
            let answer = try await reply
            #expect(answer?.status == 503)
            #expect(answer?.text == "draining")
            #expect(answer?["Connection"] == "close")
            // The handler ends after the server has: its answer has nowhere to go, and must not look for it.
            gate.open()
        }
    }

    @Test func requestsThatNeverBecomeWholeDoNotHoldItUp() async throws {
        let responder = TestResponder()
        try await withServer(responder) { server, port in
            let clients = try await offPool {
                let head = try RawClient(port: port)
                head.send("GET /x HTTP/1.1\r\nHost:")
                let body = try RawClient(port: port)
                body.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc")
                let silent = try RawClient(port: port)
                while server.statistics.connections < 3 || server.statistics.exchanges < 2 { usleep(1_000) }
                return [head, body, silent]
            }
            await server.stop(grace: .milliseconds(30))
            try await offPool {
                #expect(try clients[0].rest().hasSuffix("draining"))
                #expect(try clients[1].rest().hasSuffix("draining"))
                try clients[2].expectEnd()
            }
            #expect(server.statistics.connections == 0)
        }
    }

    @Test func anIdleServerStopsWithoutWaitingForItsGrace() async throws {
        try await withServer { server, port in
            let client = try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try client.reply()
                return client
            }
            let began = ContinuousClock.now
            await server.stop(grace: .seconds(60))
            #expect(ContinuousClock.now - began < .seconds(20))
            try await offPool { try client.expectEnd() }
        }
    }

    @Test func stoppingTwiceIsStoppingOnce() async throws {
        try await withServer { server, _ in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { await server.stop(grace: .seconds(5)) } }
            }
            await server.stop(grace: .seconds(5))
            #expect(throws: ServerError.startedBefore) { try server.start() }
        }
    }

    @Test func aServerThatNeverStartedStops() async throws {
        let server = try Server(configuration: ServerConfiguration(), responder: TestResponder())
        await server.stop(grace: .seconds(5))
        #expect(throws: ServerError.startedBefore) { try server.start() }
    }

    /// Returns once nobody listens on the port any more.
    private func untilRefused(_ port: UInt16) async throws {
        try await offPool {
            while (try? RawClient(port: port)) != nil {}
        }
    }
}
