import Glibc
import Synchronization

/// A listener on loopback that answers as a script says; each connection has a thread, the mutex owns what came in.
final class LocalReceiver: Sendable {
    /// What one connection does once a request came in full: writes with `send`, and may wait.
    typealias Script = @Sendable (_ exchange: Exchange) -> Void

    struct Exchange: Sendable {
        let descriptor: Int32
        let receiver: LocalReceiver
        /// The request's head and body.
        let request: String

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Returns once the client has gone or the receiver is closed.
        func waitForEnd() {
            var byte: UInt8 = 0
            _ = recv(descriptor, &byte, 1, 0)
        }

        /// Ends the connection with a reset.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        }
    }

    private struct State {
        var requests: [String] = []
        var connections = 0
        var open: Set<Int32> = []
        var isClosed = false
    }

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    init(_ script: @escaping Script) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { throw Fault() }
        Self.thread { [self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                let isWelcome = state.withLock { state in
                    state.connections += 1
                    if !state.isClosed { state.open.insert(connection) }
                    return !state.isClosed
                }
                guard isWelcome else {
                    Glibc.close(connection)
                    return
                }
                Self.thread { [self] in serve(connection, script) }
            }
        }
    }

    struct Fault: Error {}

    var connections: Int { state.withLock(\.connections) }
    var requests: [String] { state.withLock(\.requests) }

    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return state.open
        }
        for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }

    private func serve(_ connection: Int32, _ script: Script) {
        if let request = Self.read(connection) {
            state.withLock { $0.requests.append(request) }
            script(Exchange(descriptor: connection, receiver: self, request: request))
        }
        state.withLock { _ = $0.open.remove(connection) }
        Glibc.close(connection)
    }

    private static func read(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.firstRange(of: "\r\n\r\n") {
                let length =
                    text[..<end.lowerBound].split(separator: "\r\n").first {
                        $0.lowercased().hasPrefix("content-length:")
                    }.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
                if text[end.upperBound...].utf8.count >= length { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
            // What begins a TLS handshake is no request, and is all that comes.
            if bytes.first == 0x16 { return "" }
        }
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
        if code == 0 { pthread_detach(thread) }
    }
}
