import Glibc
import Testing

@testable import HTTPServer

/// TLS as other implementations see it: the `openssl` and `curl` commands are the judges.
@Suite struct TLSTests {
    @Test(arguments: [("-tls1_2", true), ("-tls1_3", true), ("-tls1_1", false), ("-tls1", false)])
    func takesOnlyVersionsFrom12(_ version: String, _ taken: Bool) async throws {
        try await withServer(TestResponder(), { $0.tls = Self.tls }) { _, port in
            let output = try await offPool {
                try Self.run(
                    "printf 'GET /x HTTP/1.1\\r\\nHost: h\\r\\nConnection: close\\r\\n\\r\\n' | "
                        + "openssl s_client -quiet -cipher 'ALL:@SECLEVEL=0' \(version) -connect 127.0.0.1:\(port) 2>&1"
                )
            }
            #expect(output.contains("HTTP/1.1 200 OK") == taken, "\(output)")
        }
    }

    @Test func requestsKnowThatTheyAreSecure() async throws {
        let responder = TestResponder { request in
            Response(status: 200, body: Array("\(request.secure) \(request.body.count)".utf8))
        }
        try await withServer(responder, { $0.tls = Self.tls }) { _, port in
            let output = try await offPool {
                try Self.run("head -c 60000 /dev/zero | curl -sk --data-binary @- https://127.0.0.1:\(port)/x")
            }
            #expect(output == "true 60000")
        }
    }

    @Test func deadlinesAndRefusalsWorkOnTLSToo() async throws {
        let responder = TestResponder(limit: 10) { _ in
            await Never.wait()
            return Response(status: 200)
        }
        try await withServer(
            responder,
            {
                $0.tls = Self.tls
                $0.totalTimeout = .seconds(1)
                $0.bodyTimeout = .seconds(1)
            }
        ) { _, port in
            let output = try await offPool {
                try Self.run(
                    "curl -sk https://127.0.0.1:\(port)/x -d 123; "
                        + "curl -sk -H 'Transfer-Encoding: chunked' https://127.0.0.1:\(port)/x -d 12345678901; "
                        + "curl -sk https://127.0.0.1:\(port)/x -d 12345678901")
            }
            #expect(output == "deadlinebody_too_largebody_too_large")
        }
    }

    @Test func aSilentHandshakeIsEnded() async throws {
        try await withServer(
            TestResponder(),
            {
                $0.tls = Self.tls
                $0.headTimeout = .milliseconds(80)
            }
        ) { _, port in
            try await offPool { try RawClient(port: port).expectEnd() }
        }
    }

    @Test func plainTextOnATLSPortHurtsNobody() async throws {
        try await withServer(TestResponder(), { $0.tls = Self.tls }) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try !client.rest().contains("HTTP/1.1"))
            }
        }
    }

    @Test func aBadCertificateStopsTheStart() throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.tls = .init(certificate: "no certificate", key: Self.tls.key)
        let server = try Server(configuration: configuration, responder: TestResponder())
        let error = #expect(throws: ServerError.self) { try server.start() }
        guard case .tls(let detail) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(!detail.isEmpty && !detail.contains("\n"))
    }

    /// A key and a certificate of their own for each run.
    private static let tls: ServerConfiguration.TLS = {
        let pem =
            (try? run(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost "
                    + "-keyout - -out - 2>/dev/null")) ?? ""
        return ServerConfiguration.TLS(certificate: pem, key: pem)
    }()

    /// What a shell command prints.
    private static func run(_ command: String) throws -> String {
        guard let pipe = popen(command, "r") else { throw RawClient.Failure(what: "no shell") }
        defer { pclose(pipe) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer[..<count] }
        return String(decoding: output, as: UTF8.self)
    }
}
