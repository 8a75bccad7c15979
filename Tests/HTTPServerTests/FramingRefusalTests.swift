import Glibc
import Testing

@testable import HTTPServer

/// What must be refused on the wire, and that nothing after it is taken for a request.
@Suite struct FramingRefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let head: String
        let kind: String
        var header: String?
        var status = 400
        var testDescription: String { name }
    }

    static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

    static let cases = [
        Case(
            name: "both lengths",
            head: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n",
            kind: "both_lengths"),
        Case(
            name: "both lengths, other order",
            head: "POST / HTTP/1.1\r\nHost: h\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n",
            kind: "both_lengths"),
        Case(
            name: "two codings", head: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n",
            kind: "bad_header", header: "Transfer-Encoding"),
        Case(
            name: "an unknown coding", head: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n",
            kind: "bad_header", header: "Transfer-Encoding"),
        Case(
            name: "coding twice",
            head: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            kind: "bad_header", header: "Transfer-Encoding"),
        Case(
            name: "coding in 1.0", head: "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n",
            kind: "bad_header",
            header: "Transfer-Encoding"),
        Case(
            name: "length twice", head: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nContent-Length: 4\r\n",
            kind: "bad_header", header: "Content-Length"),
        Case(
            name: "lengths that differ",
            head: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 40\r\n",
            kind: "bad_header", header: "Content-Length"),
        Case(name: "no host", head: "GET / HTTP/1.1\r\nAccept: */*\r\n", kind: "bad_header", header: "Host"),
        Case(name: "no header at all", head: "GET / HTTP/1.1\r\n", kind: "bad_header", header: "Host"),
        Case(name: "two hosts", head: "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n", kind: "bad_header", header: "Host"),
        Case(
            name: "a blank before the colon", head: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length : 4\r\n",
            kind: "bad_header", header: "Content-Length?"),
        Case(
            name: "a tab before the colon", head: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding\t: chunked\r\n",
            kind: "bad_header", header: "Transfer-Encoding?"),
        Case(name: "an empty name", head: "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n", kind: "bad_header"),
        Case(
            name: "a name that is no token", head: "GET / HTTP/1.1\r\nHost: h\r\nX(): x\r\n", kind: "bad_header",
            header: "X??"),
        Case(name: "NUL in a value", head: "GET / HTTP/1.1\r\nHost: h\r\nX-A: a\0b\r\nX-B: c\r\n", kind: "bad_header"),
        Case(name: "NUL in the last value", head: "GET / HTTP/1.1\r\nHost: h\r\nX-A: a\0b\r\n", kind: "bad_header"),
        Case(
            name: "NUL that hides a header", head: "GET / HTTP/1.1\r\nHost: h\r\nX-A: \0Content-Length: 4\r\n",
            kind: "bad_header"),
        Case(
            name: "a line that begins with NUL", head: "POST / HTTP/1.1\r\nHost: h\r\n\0Content-Length: 4\r\n",
            kind: "bad_header"),
        Case(
            name: "a control byte in a value", head: "GET / HTTP/1.1\r\nHost: h\r\nX-A: a\u{1}b\r\n",
            kind: "bad_header", header: "X-A"),
        Case(
            name: "a bare CR in a value", head: "GET / HTTP/1.1\r\nHost: h\r\nX-A: a\rb\r\n", kind: "bad_header",
            header: "X-A"),
        Case(name: "a bare LF", head: "GET / HTTP/1.1\r\nHost: h\nX-A: a\r\n", kind: "bad_header"),
        Case(name: "a folded line", head: "GET / HTTP/1.1\r\nHost: h\r\nX-A: a\r\n b\r\n", kind: "bad_header"),
        Case(
            name: "a folded length", head: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\t0\r\n",
            kind: "bad_header"),
        Case(name: "a folded first line", head: "GET / HTTP/1.1\r\nHost:\r\n h\r\n", kind: "bad_header"),
        Case(name: "NUL in the target", head: "GET /a\0b HTTP/1.1\r\nHost: h\r\n", kind: "bad_request_line"),
        Case(name: "two blanks before the target", head: "GET  /a HTTP/1.1\r\nHost: h\r\n", kind: "bad_request_line"),
        Case(name: "a blank in the target", head: "GET /a b HTTP/1.1\r\nHost: h\r\n", kind: "bad_target"),
        Case(name: "an encoded NUL", head: "GET /q/good%00evil HTTP/1.1\r\nHost: h\r\n", kind: "bad_target"),
        Case(name: "a bad escape", head: "GET /%zz HTTP/1.1\r\nHost: h\r\n", kind: "bad_target"),
        Case(name: "not UTF-8", head: "GET /?a=%ff HTTP/1.1\r\nHost: h\r\n", kind: "bad_target"),
        Case(name: "no slash", head: "GET v1 HTTP/1.1\r\nHost: h\r\n", kind: "bad_target"),
        Case(name: "a method that is no token", head: "G@T / HTTP/1.1\r\nHost: h\r\n", kind: "bad_request_line"),
        Case(
            name: "a long target", head: "GET /\(String(repeating: "a", count: 8_300)) HTTP/1.1\r\nHost: h\r\n",
            kind: "target_too_long", status: 414),
        Case(
            name: "a large head",
            head: "GET / HTTP/1.1\r\nHost: h\r\nX-A: \(String(repeating: "a", count: 13_000))\r\n",
            kind: "head_too_large",
            status: 431),
        Case(
            name: "a length over the limit", head: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 65537\r\n",
            kind: "body_too_large", status: 413),
    ]

    @Test(arguments: cases) func isRefusedAndTheConnectionClosed(_ wanted: Case) async throws {
        let responder = TestResponder()
        try await withServer(responder) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send(wanted.head + "\r\n" + Self.smuggled)
                let reply = try client.reply()
                #expect(reply?.status == wanted.status)
                #expect(reply?.text == wanted.kind)
                #expect(reply?["Content-Type"] == "application/problem+json")
                #expect(reply?["Connection"] == "close")
                if let header = wanted.header { #expect(reply?["X-Header"] == header) }
                try client.expectEnd()
                #expect(!client.wasReset)
            }
            let records = await responder.records(1)
            #expect(records.map(\.ending) == [.refused])
            #expect(records.first?.status == wanted.status)
        }
    }

    @Test(arguments: ["5x", "-1", "+1", "5 ", "0x5", "99999999999999999999999"])
    func aLengthThatIsNoNumberIsRefusedOnce(_ length: String) async throws {
        let responder = TestResponder()
        try await withServer(responder) { server, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n" + Self.smuggled)
                let reply = try client.reply()
                #expect(reply?.status == 400)
                #expect(reply?.text == "bad_header")
                #expect(reply?["X-Header"] == "Content-Length")
                try client.expectEnd()
            }
            let records = await responder.records(1)
            #expect(records.map(\.ending) == [.refused])
            #expect(records.map(\.status) == [400])
            #expect(server.statistics.faults == ["bad_header": 1])
        }
    }

    /// The head whose length is no number came in pieces, and the loop read another request between them.
    @Test func aSlowHeadsLengthIsRefusedOnceToo() async throws {
        let responder = TestResponder()
        try await withServer(responder, { $0.threads = 1 }) { server, port in
            try await offPool {
                let slow = try RawClient(port: port)
                slow.send("POST / HTTP/1.1\r\nHost: h\r\n")
                while server.statistics.exchanges < 1 { usleep(1_000) }
                let other = try RawClient(port: port)
                other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try other.reply()?.status == 200)
                slow.send("Content-Length: 5x\r\n\r\n" + Self.smuggled)
                let reply = try slow.reply()
                #expect(reply?.text == "bad_header")
                try slow.expectEnd()
            }
            #expect(server.statistics.faults == ["bad_header": 1])
        }
    }

    /// libmicrohttpd answers these by itself and gives us no say; what matters is that the connection ends.
    @Test(arguments: [
        "GET / HTTP/2.0\r\nHost: h\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX\0A: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX-A: \(String(repeating: "a", count: 40_000))\r\n\r\n",
        "GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func whatTheLibraryRefusesEndsTheConnection(_ request: String) async throws {
        let responder = TestResponder()
        try await withServer(responder) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send(request + Self.smuggled)
                let text = try client.rest()
                #expect(text.hasPrefix("HTTP/1.1 4") || text.hasPrefix("HTTP/1.1 505") || client.wasReset)
                #expect(!text.contains("smuggled"))
            }
        }
    }
}
