import Testing

@testable import HTTPServer

/// One request after another on a real port, in bytes.
@Suite struct ServerTests {
    @Test func answersAndKeepsTheConnection() async throws {
        let responder = TestResponder()
        try await withServer(responder) { server, port in
            try await offPool {
                let client = try RawClient(port: port)
                for turn in 0..<3 {
                    client.send(
                        "GET /a%2Fb/\(turn)?x=1&x=2 HTTP/1.1\r\nHost: h\r\nX-Request-Id: caller-\(turn)\r\n\r\n")
                    let reply = try client.reply()
                    #expect(reply?.status == 200)
                    #expect(reply?.text == "GET [a/b|\(turn)] [x=1&x=2] ")
                    #expect(reply?["X-Request-Id"] == "caller-\(turn)")
                    #expect(reply?["Content-Type"] == "text/plain")
                    #expect(reply?["Date"]?.hasSuffix(" GMT") == true)
                    #expect(reply?["Connection"] == nil)
                }
            }
            let records = await responder.records(3)
            #expect(records.map(\.id) == ["caller-0", "caller-1", "caller-2"])
            #expect(records.allSatisfy { $0.ending == .answered && $0.route == "/echo" && $0.status == 200 })
            #expect(records.allSatisfy { $0.bytesOut == 22 && $0.bytesIn == 0 && $0.micros >= 0 && $0.method == .get })
            #expect(server.statistics.requests == 3)
        }
    }

    @Test func badRequestIdsAreReplaced() async throws {
        try await withServer { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Request-Id: a b\r\n\r\n")
                let id = try client.reply()?["X-Request-Id"]
                #expect(id?.utf8.count == 13)
            }
        }
    }

    @Test func headHasTheHeadersOfGetAndNoBody() async throws {
        try await withServer { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\n")
                let head = try client.reply(toHead: true)
                #expect(head?.status == 200)
                #expect(head?["Content-Length"] == "12")
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.text == "GET [x] [] ")
            }
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            if request.path == ["0"] { await gate.pass() }
            return await TestResponder.echo(request)
        }
        try await withServer(responder) { _, port in
            async let replies = offPool {
                let client = try RawClient(port: port)
                client.send(
                    (0..<50).map { turn in
                        turn % 2 == 0
                            ? "GET /\(turn) HTTP/1.1\r\nHost: h\r\n\r\n"
                            : "POST /\(turn) HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"
                    }.joined())
                return try (0..<50).map { _ in try client.reply()?.text ?? "none" }
            }
            await gate.arrivals(1)
            gate.open()
            let texts = try await replies
            #expect(texts == (0..<50).map { $0 % 2 == 0 ? "GET [\($0)] [] " : "POST [\($0)] [] hi" })
        }
    }

    @Test func bodiesArriveWholeHoweverTheyAreSent() async throws {
        let responder = TestResponder(limit: 200_000) { request in
            Response(status: 200, body: Array("\(request.body.count) \(request.body.reduce(0) { $0 &+ Int($1) })".utf8))
        }
        try await withServer(responder) { _, port in
            try await offPool {
                let body = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
                let expected = "150000 \(body.reduce(0) { $0 &+ Int($1) })"
                let client = try RawClient(port: port)
                client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 150000\r\n\r\n")
                client.send(body)
                #expect(try client.reply()?.text == expected)
                client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
                var rest = body[...]
                var size = 1
                while !rest.isEmpty {
                    let piece = rest.prefix(size)
                    rest = rest.dropFirst(size)
                    size = size * 2 + 1
                    client.send("\(String(piece.count, radix: 16));ext=1\r\n".utf8 + Array(piece) + "\r\n".utf8)
                }
                client.send("0\r\nTrailer: x\r\n\r\n")
                #expect(try client.reply()?.text == expected)
                for method in ["GET", "DELETE", "HEAD"] {
                    client.send("\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
                    #expect(try client.reply(toHead: method == "HEAD")?.status == 200)
                }
            }
        }
    }

    @Test func anEmptyBodyAndStatusesWithoutOne() async throws {
        let responder = TestResponder { request in
            Response(status: Int(request.path.first ?? "") ?? 500, headers: [HeaderField("ETag", "\"1\"")])
        }
        try await withServer(responder) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                for status in [200, 204, 304, 404] {
                    client.send("GET /\(status) HTTP/1.1\r\nHost: h\r\n\r\n")
                    let reply = try client.reply()
                    #expect(reply?.status == status)
                    #expect(reply?["ETag"] == "\"1\"")
                    if status == 204 { #expect(reply?["Content-Length"] == nil) }
                }
            }
        }
    }

    @Test func http10ClosesUnlessAsked() async throws {
        try await withServer { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.0\r\n\r\n")
                #expect(try client.reply()?["Connection"] == "close")
                try client.expectEnd()
                let kept = try RawClient(port: port)
                for _ in 0..<2 {
                    kept.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    #expect(try kept.reply()?.status == 200)
                }
            }
        }
    }

    @Test func aClientThatOnlySendsOnceIsStillAnswered() async throws {
        let gate = Gate()
        let responder = TestResponder { request in
            await gate.pass()
            return await TestResponder.echo(request)
        }
        try await withServer(responder) { _, port in
            async let reply = offPool {
                let client = try RawClient(port: port)
                client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
                client.finishSending()
                return try client.reply()?.status
            }
            await gate.arrivals(1)
            gate.open()
            let status = try await reply
            #expect(status == 200)
        }
    }

    @Test(arguments: [
        Response(status: 200, headers: [HeaderField("X-A", "a\r\nSet-Cookie: b=c")]),
        Response(status: 200, headers: [HeaderField("X-A", "a\nb")]),
        Response(status: 200, headers: [HeaderField("X-A", "a\0b")]),
        Response(status: 200, headers: [HeaderField("X: A", "a")]),
        Response(status: 200, headers: [HeaderField("X\r\nA", "a")]), Response(status: 99), Response(status: 1_000),
        Response(status: 100),
    ])
    func whatCannotBeSentBecomesA500(_ response: Response) async throws {
        try await withServer(TestResponder { _ in response }) { server, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                let reply = try client.reply()
                #expect(reply?.status == 500)
                #expect(reply?.text == "unusable_response")
                #expect(reply?["Set-Cookie"] == nil)
            }
            #expect(server.statistics.faults == ["unusable_response": 1])
        }
    }

    @Test func theServersOwnHeadersCannotBeForged() async throws {
        let responder = TestResponder { _ in
            Response(
                status: 200,
                headers: [
                    HeaderField("Content-Length", "99"), HeaderField("transfer-encoding", "chunked"),
                    HeaderField("Connection", "close"), HeaderField("Date", "never"),
                    HeaderField("X-Request-ID", "forged"),
                    HeaderField("X-Empty", ""), HeaderField("X-Kept", "yes"),
                ], body: [0x61])
        }
        try await withServer(responder) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                for _ in 0..<2 {
                    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                    let reply = try client.reply()
                    #expect(reply?["Content-Length"] == "1")
                    #expect(reply?["Transfer-Encoding"] == nil)
                    #expect(reply?["Date"] != "never")
                    #expect(reply?["X-Request-Id"] != "forged")
                    #expect(reply?["X-Kept"] == "yes")
                    #expect(reply?.text == "a")
                }
            }
        }
    }

    @Test func refusalsKnowTheHead() async throws {
        try await withServer { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET /%zz HTTP/1.1\r\nHost: h\r\nOrigin: https://app.example\r\nX-Request-Id: mine\r\n\r\n")
                let reply = try client.reply()
                #expect(reply?["X-Origin"] == "https://app.example")
                #expect(reply?["X-Request-Id"] == "mine")
            }
        }
    }

    @Test func aServerThatCannotStartSaysWhy() async throws {
        try await withServer { _, port in
            var taken = ServerConfiguration()
            taken.port = port
            let second = try Server(configuration: taken, responder: TestResponder())
            #expect(throws: ServerError.address("127.0.0.1:\(port)", code: 98)) { try second.start() }
            await second.stop(grace: .zero)
        }
        var configuration = ServerConfiguration()
        configuration.reservedFiles = 1_000_000_000
        #expect(throws: ServerError.self) { try Server(configuration: configuration, responder: TestResponder()) }
        configuration = ServerConfiguration()
        configuration.headLimit = 64 * 1024
        #expect(throws: ServerError.self) { try Server(configuration: configuration, responder: TestResponder()) }
    }

    @Test func startsOnce() async throws {
        try await withServer { server, _ in
            #expect(throws: ServerError.startedBefore) { try server.start() }
        }
    }

    @Test func servesIPv6AndIPv4OnOneSocket() async throws {
        let responder = TestResponder { Response(status: 200, body: Array($0.peer.utf8)) }
        try await withServer(responder, { $0.address = "::" }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.reply()?.text == "127.0.0.1")
            }
        }
    }
}
