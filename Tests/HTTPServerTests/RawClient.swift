import Glibc

@testable import HTTPServer

/// A client that sends and receives bytes and knows as little of HTTP as the tests need. Blocks: use it inside `offPool`, by one
/// thread at a time, hence `@unchecked Sendable`.
final class RawClient: @unchecked Sendable {
    struct Failure: Error { let what: String }

    /// One response, as far as it came.
    struct Reply {
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }

        subscript(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    let descriptor: Int32
    private var buffer: [UInt8] = []
    private(set) var ended = false
    /// Whether the connection ended with a reset rather than a close.
    private(set) var wasReset = false

    init(port: UInt16, timeout: Int = 20) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 {
            // `deinit` closes the descriptor: everything is initialised by now.
            throw Failure(what: "connect: errno \(errno)")
        }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(descriptor) }

    /// False once the peer no longer takes anything.
    @discardableResult func send(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    @discardableResult func send(_ text: String) -> Bool { send(text.utf8) }

    /// Says that nothing more will be sent.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Breaks the connection off with a reset.
    func reset() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        // Replacing the descriptor closes the socket and leaves the number taken until `deinit`.
        let other = socket(AF_INET, 1, 0)
        dup2(other, descriptor)
        Glibc.close(other)
    }

    /// The next response; nil if the connection ended without one.
    func reply(toHead: Bool = false) throws -> Reply? {
        let mark = Array("\r\n\r\n".utf8)
        while true {
            if let end = index(of: mark) {
                var reply = Reply()
                let lines = String(decoding: buffer[..<end], as: UTF8.self).components(by: "\r\n")
                reply.status = Int(lines.first?.dropFirst(9).prefix(3) ?? "") ?? 0
                for line in lines.dropFirst() {
                    guard let colon = line.firstIndex(of: ":") else { throw Failure(what: "no colon: \(line)") }
                    let value = line[line.index(after: colon)...].drop { $0 == " " }
                    reply.headers.append((String(line[..<colon]), String(value)))
                }
                buffer.removeSubrange(..<(end + 4))
                if reply.status < 200 { continue }
                let length = toHead ? 0 : Int(reply["Content-Length"] ?? "0") ?? 0
                while buffer.count < length { if try !fill() { throw Failure(what: "the body ends early") } }
                reply.body = Array(buffer[..<length])
                buffer.removeSubrange(..<length)
                return reply
            }
            if try !fill() {
                if buffer.isEmpty { return nil }
                throw Failure(what: "half a response: \(String(decoding: buffer, as: UTF8.self))")
            }
        }
    }

    /// Everything until the connection ends.
    func rest() throws -> String {
        while try fill() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Waits for the end of the connection and expects nothing before it.
    func expectEnd() throws {
        let text = try rest()
        if !text.isEmpty { throw Failure(what: "unexpected: \(text)") }
    }

    private func index(of mark: [UInt8]) -> Int? {
        guard buffer.count >= mark.count else { return nil }
        return (0...(buffer.count - mark.count)).first { buffer[$0..<($0 + mark.count)].elementsEqual(mark) }
    }

    private func fill() throws -> Bool {
        if ended { return false }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count < 0, errno == EAGAIN { throw Failure(what: "nothing came in time") }
        if count < 0 { wasReset = errno == ECONNRESET }
        guard count > 0 else {
            ended = true
            return false
        }
        buffer += piece[..<count]
        return true
    }
}

extension String {
    fileprivate func components(by mark: String) -> [String] {
        var parts: [String] = []
        var rest = utf8[...]
        let mark = Array(mark.utf8)
        while true {
            var at = rest.startIndex
            var found: Substring.UTF8View.Index?
            while at < rest.endIndex {
                if rest[at...].starts(with: mark) {
                    found = at
                    break
                }
                at = rest.index(after: at)
            }
            guard let end = found else {
                parts.append(String(decoding: rest, as: UTF8.self))
                return parts
            }
            parts.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[rest.index(end, offsetBy: mark.count)...]
        }
    }
}

/// Runs blocking test code on a thread of its own: the cooperative pool is what the server's handlers need.
func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = ServiceThread("test") { continuation.resume(with: Result { try body() }) }
        guard let thread else { return continuation.resume(throwing: RawClient.Failure(what: "no thread")) }
        thread.detach()
    }
}
