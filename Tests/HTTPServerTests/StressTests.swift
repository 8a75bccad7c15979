import Glibc
import Testing

@testable import HTTPServer

/// Many connections, and clients that vanish at the worst moment.
@Suite struct StressTests {
    @Test func clientsThatVanishWhileSuspendedAreNoticedWhenResumed() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            await gate.pass()
            return await TestResponder.echo(request)
        }
        try await withServer(responder) { server, port in
            let count = 200
            let clients = try await offPool {
                try (0..<count).map { turn in
                    let client = try RawClient(port: port)
                    client.send("POST /\(turn) HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
                    return client
                }
            }
            await gate.arrivals(count)
            try await offPool { for client in clients { client.reset() } }
            gate.open()
            let records = await responder.records(count)
            #expect(records.allSatisfy { $0.ending == .clientGone || $0.ending == .answered })
            #expect(records.contains { $0.ending == .clientGone })
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /after HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.text == "GET [after] [] ")
            }
            await server.stop(grace: .seconds(5))
            #expect(server.statistics.suspended == 0)
        }
    }

    @Test func answersDeadlinesAndLostClientsRace() async throws {
        let responder = TestResponder { request in
            try? await Task.sleep(for: .microseconds(Int64(request.path.first ?? "") ?? 0))
            return await TestResponder.echo(request)
        }
        try await withServer(
            responder,
            {
                $0.totalTimeout = .milliseconds(10)
                $0.sendTimeout = .seconds(10)
            }
        ) { server, port in
            let count = 16
            let rounds = 40
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    group.addTask {
                        try await offPool {
                            for round in 0..<rounds {
                                let client = try RawClient(port: port)
                                client.send("GET /\((index * 7 + round * 997) % 20_000) HTTP/1.1\r\nHost: h\r\n\r\n")
                                if (index + round) % 3 == 0 {
                                    client.reset()
                                } else {
                                    let status = try client.reply()?.status
                                    #expect(status == 200 || status == 503)
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            await server.stop(grace: .seconds(5))
            #expect(server.statistics.suspended == 0)
            #expect(server.statistics.exchanges == 0)
            #expect(server.statistics.connections == 0)
        }
    }

    @Test func aThousandConnectionsAtOnce() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            await gate.pass()
            return await TestResponder.echo(request)
        }
        try await withServer(responder) { server, port in
            let clients = try await offPool {
                try (0..<1_000).map { turn in
                    let client = try RawClient(port: port)
                    client.send("GET /\(turn) HTTP/1.1\r\nHost: h\r\n\r\n")
                    return client
                }
            }
            await gate.arrivals(1_000)
            #expect(server.statistics.connections == 1_000)
            gate.open()
            try await offPool {
                for (turn, client) in clients.enumerated() {
                    let text = try client.reply()?.text
                    #expect(text == "GET [\(turn)] [] ")
                }
            }
        }
    }

    /// Inside its own thread libmicrohttpd 0.9.75 would take these 128 events and wait for a 129th before serving any.
    @Test(arguments: [127, 128, 129, 256]) func asManyEventsAsTheLibraryTakesAtOnce(_ count: Int) async throws {
        let (held, ready) = (WakeUp(), WakeUp())
        let responder = TestResponder { request in
            // Handlers begin on the loop's thread: this one holds it while the others' requests pile up.
            if request.path == ["hold"] {
                held?.signal()
                ready?.wait(milliseconds: 20_000)
            }
            return await TestResponder.echo(request)
        }
        try await withServer(responder, { $0.threads = 1 }) { _, port in
            try await offPool {
                let clients = try (0..<count).map { _ in
                    let client = try RawClient(port: port)
                    client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                    _ = try client.reply()
                    return client
                }
                let holder = try RawClient(port: port)
                holder.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n")
                held?.wait(milliseconds: 20_000)
                for client in clients { client.send("GET /y HTTP/1.1\r\nHost: h\r\n\r\n") }
                ready?.signal()
                for client in clients { #expect(try client.reply()?.text == "GET [y] [] ") }
                #expect(try holder.reply()?.status == 200)
            }
        }
    }

    @Test func oneConnectionTooManyIsToldSo() async throws {
        try await withServer(TestResponder(), { $0.connectionLimit = 2 }) { server, port in
            #expect(server.connectionLimit == 2)
            try await offPool {
                let held = try (0..<2).map { _ in
                    let client = try RawClient(port: port)
                    client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                    #expect(try client.reply()?.status == 200)
                    return client
                }
                for _ in 0..<300 {
                    let client = try RawClient(port: port)
                    client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                    let reply = try client.reply()
                    #expect(reply?.status == 503)
                    #expect(reply?.text == "overloaded")
                    #expect(reply?["Connection"] == "close")
                    try client.expectEnd()
                    #expect(!client.wasReset)
                }
                held[0].send("GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                #expect(try held[0].rest().contains("200 OK"))
                // The place is free once the server has closed its side, which the client cannot see.
                var status = 503
                while status == 503 {
                    let client = try RawClient(port: port)
                    client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                    status = try client.reply()?.status ?? 0
                }
                #expect(status == 200)
            }
        }
    }

    @Test func theOpenFilesLimitIsRaised() throws {
        let server = try Server(configuration: ServerConfiguration(), responder: TestResponder())
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(7), &limit)
        #expect(server.openFiles.soft == server.openFiles.hard)
        #expect(UInt64(limit.rlim_cur) == UInt64(server.openFiles.soft))
        #expect(server.connectionLimit == server.openFiles.soft - 256)
    }
}
