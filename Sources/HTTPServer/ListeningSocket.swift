import CMicrohttpd
import Glibc

/// A bound, listening, non-blocking TCP socket. Its holder closes it once.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    init(address: String, port: UInt16, backlog: Int32) throws(ServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard code == 0, let candidate = found?.pointee else { throw .address(address, code: EADDRNOTAVAIL) }
        let descriptor = socket(
            candidate.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .address(address, code: errno) }
        var on: Int32 = 1
        var off: Int32 = 0
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if candidate.ai_family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size) }
        guard bind(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0, listen(descriptor, backlog) == 0 else {
            let code = errno
            close(descriptor)
            throw .address("\(address):\(port)", code: code)
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let port: UInt16? = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                let raw = UnsafeRawPointer(address)
                // The port stands at the same place for IPv4 and IPv6, most significant byte first.
                return UInt16(bigEndian: raw.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            }
        }
        return port ?? 0
    }
}
