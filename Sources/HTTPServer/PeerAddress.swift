import Glibc

/// A socket address in numbers.
enum PeerAddress {
    /// Without the port; an IPv4 address mapped into IPv6 as IPv4; empty if it is neither.
    static func text(_ address: UnsafePointer<sockaddr>?) -> String {
        guard let address else { return "" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let raw = UnsafeRawPointer(address)
            let written: UnsafePointer<CChar>?
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                var ip = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
                written = inet_ntop(AF_INET, &ip, buffer.baseAddress, socklen_t(buffer.count))
            case AF_INET6:
                var ip = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
                written = inet_ntop(AF_INET6, &ip, buffer.baseAddress, socklen_t(buffer.count))
            default: written = nil
            }
            let text = written.map { String(cString: $0) } ?? ""
            return text.hasPrefix("::ffff:") && text.utf8.contains(UInt8(ascii: ".")) ? String(text.dropFirst(7)) : text
        }
    }
}
