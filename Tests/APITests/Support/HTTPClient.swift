import Foundation
import Glibc

/// A client that sends exactly what it is told, one connection a request; blocks threads of its own, never the pool's.
struct HTTPClient: Sendable {
    struct Reply: Sendable {
        let status: Int
        /// Names in lower case; a repeated name's values are joined by a comma.
        let headers: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSON { JSON(body) }
        /// The last part of a problem's type.
        var slug: String? {
            headers["content-type"] == "application/problem+json"
                ? json["type"].string.flatMap { $0.split(separator: "/").last.map(String.init) } : nil
        }
        /// The pointers of a problem's errors.
        var pointers: [String] { json["errors"].array.compactMap { $0["pointer"].string } }
    }

    let port: UInt16
    let key: String?

    func get(_ path: String, _ headers: [(String, String)] = []) async throws -> Reply {
        try await send("GET", path, headers)
    }

    func put(_ path: String, _ body: String, _ headers: [(String, String)] = []) async throws -> Reply {
        try await send("PUT", path, [("Content-Type", "application/json")] + headers, body)
    }

    func post(_ path: String, _ body: String, _ headers: [(String, String)] = []) async throws -> Reply {
        try await send("POST", path, [("Content-Type", "application/json")] + headers, body)
    }

    func delete(_ path: String, _ headers: [(String, String)] = []) async throws -> Reply {
        try await send("DELETE", path, headers)
    }

    func send(
        _ method: String, _ path: String, _ headers: [(String, String)] = [], _ body: String? = nil
    ) async throws -> Reply {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let key, !headers.contains(where: { $0.0.lowercased() == "authorization" }) {
            text += "Authorization: Bearer \(key)\r\n"
        }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        return try await raw(Array((text + "\r\n" + (body ?? "")).utf8), isHead: method == "HEAD")
    }

    /// Sends these very bytes and reads until the server closes.
    func raw(_ bytes: [UInt8], isHead: Bool = false) async throws -> Reply {
        let port = port
        let answer: [UInt8] = try await withCheckedThrowingContinuation { continuation in
            // Not a dispatch queue: tasks run on its threads too, and the server's answers would wait for the client's.
            Thread.detachNewThread { continuation.resume(with: Result { try Self.exchange(bytes, port) }) }
        }
        return try Self.parse(answer)
    }

    private static func exchange(_ bytes: [UInt8], _ port: UInt16) throws -> [UInt8] {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw TestFailure("socket") }
        defer { close(socket) }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw TestFailure("connect: \(errno)") }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }  // the process was stopped and went on
            if count < 0 { throw TestFailure("recv: \(errno), after \(answer.count) bytes") }
            if count == 0 { return answer }
            answer += buffer[..<count]
        }
    }

    private static func parse(_ answer: [UInt8]) throws -> Reply {
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw TestFailure("no head in \(answer.count) bytes")
        }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count >= 2, let status = Int(first[1]) else {
            throw TestFailure("no status line")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.merge([line[..<colon].lowercased(): String(value)]) { $0 + ", " + $1 }
        }
        return Reply(status: status, headers: headers, body: Array(answer[end.upperBound...]))
    }
}
