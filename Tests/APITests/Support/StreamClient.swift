import Foundation
import Glibc
import Synchronization

/// A reader of an event stream, as a browser would be: on a thread of its own, until it is closed or the server ends.
final class StreamClient: Sendable {
    struct Event: Sendable, Equatable {
        var id = ""
        var type = ""
        var data = ""
    }

    struct Seen: Sendable {
        var head = ""
        var events: [Event] = []
        var comments = 0
        var isOver = false
        /// The answer came to its own end, and was not broken off.
        var isComplete = false
    }

    private struct State {
        var seen = Seen()
        var waiters: [(@Sendable (Seen) -> Bool, CheckedContinuation<Seen, Never>)] = []
    }

    private let socket: Int32
    private let state = Mutex(State())

    init(_ client: HTTPClient, _ path: String, lastID: String? = nil, headers: String = "") throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = client.port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw TestFailure("connect: \(errno)") }
        var text = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        if let key = client.key { text += "Authorization: Bearer \(key)\r\n" }
        text += headers
        if let lastID { text += "Last-Event-ID: \(lastID)\r\n" }
        let bytes = Array((text + "\r\n").utf8)
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        Thread.detachNewThread { self.read() }
    }

    deinit { Glibc.close(socket) }

    var seen: Seen { state.withLock { $0.seen } }

    /// Goes away without a word.
    func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// What it has seen, once that satisfies the condition, or the stream is over.
    @discardableResult
    func wait(_ condition: @escaping @Sendable (Seen) -> Bool) async -> Seen {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> Seen? in
                if state.seen.isOver || condition(state.seen) { return state.seen }
                state.waiters.append((condition, continuation))
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    private func change(_ body: (inout Seen) -> Void) {
        let due = state.withLock { state in
            body(&state.seen)
            let seen = state.seen
            let due = state.waiters.filter { seen.isOver || $0.0(seen) }
            state.waiters.removeAll { seen.isOver || $0.0(seen) }
            return due.map { ($0.1, seen) }
        }
        for (continuation, seen) in due { continuation.resume(returning: seen) }
    }

    private func read() {
        var raw: [UInt8] = []
        var body: [UInt8] = []
        var isHeadRead = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var isComplete = false
        while !isComplete {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count <= 0 { break }
            raw += buffer[..<count]
            if !isHeadRead {
                guard let end = raw.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
                let head = String(decoding: raw[..<end.lowerBound], as: UTF8.self)
                change { $0.head = head }
                raw.removeFirst(end.upperBound)
                isHeadRead = true
            }
            // Chunks: a length in hex, its bytes, and a line break each.
            while let line = raw.firstRange(of: Array("\r\n".utf8)),
                let length = Int(String(decoding: raw[..<line.lowerBound], as: UTF8.self), radix: 16)
            {
                guard raw.count >= line.upperBound + length + 2 else { break }
                body += raw[line.upperBound..<line.upperBound + length]
                raw.removeFirst(line.upperBound + length + 2)
                if length == 0 { isComplete = true }
            }
            while let end = body.firstRange(of: Array("\n\n".utf8)) {
                take(String(decoding: body[..<end.lowerBound], as: UTF8.self))
                body.removeFirst(end.upperBound)
            }
        }
        change {
            $0.isOver = true
            $0.isComplete = isComplete
        }
    }

    private func take(_ block: String) {
        var event = Event()
        var isComment = true
        for line in block.split(separator: "\n") {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("event: ") { event.type = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
            if !line.hasPrefix(":") { isComment = false }
        }
        change {
            if isComment { $0.comments += 1 } else if !event.data.isEmpty { $0.events.append(event) }
        }
    }
}
