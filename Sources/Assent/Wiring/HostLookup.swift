import Consent
import Postgres
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Asks the system what addresses a name stands for.
enum HostLookup {
    /// Names being looked up at once; past it nothing is found. A resolver that hangs does so for half a minute.
    private static let most = 32
    private static let underWay = Atomic<Int>(0)

    /// The addresses of a name; none where it has none, or where nobody says so in time.
    static func addresses(of name: String, within limit: Duration = .seconds(3)) async -> [IPAddress] {
        let answer = Answer()
        return await withCheckedContinuation { continuation in
            answer.wait(continuation)
            guard underWay.wrappingAdd(1, ordering: .relaxed).newValue <= most, start(name, answer) else {
                underWay.wrappingSubtract(1, ordering: .relaxed)
                return answer.give([])
            }
            Task {
                _ = try? await Task.sleep(for: limit)
                answer.give([])
            }
        }
    }

    private static func start(_ name: String, _ answer: Answer) -> Bool {
        DedicatedThread.run("lookup") {
            let found = ask(name)
            underWay.wrappingSubtract(1, ordering: .relaxed)
            answer.give(found)
        }
    }

    private static func ask(_ name: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            guard let entry else { return nil }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard code == 0 else { return nil }
            // A link-local address comes with its zone, which is not the address's.
            let bytes = text.prefix { $0 != 0 && $0 != CChar(bitPattern: UInt8(ascii: "%")) }.map(
                UInt8.init(bitPattern:))
            return IPAddress(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// One answer, the first that is given; a mutex owns who waits for it.
    private final class Answer: Sendable {
        private let waiter = Mutex<CheckedContinuation<[IPAddress], Never>?>(nil)

        func wait(_ continuation: CheckedContinuation<[IPAddress], Never>) {
            waiter.withLock { $0 = continuation }
        }

        func give(_ addresses: [IPAddress]) {
            let waiter = waiter.withLock { waiter in
                defer { waiter = nil }
                return waiter
            }
            waiter?.resume(returning: addresses)
        }
    }
}
