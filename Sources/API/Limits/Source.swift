import Glibc

/// Who counts as one sender: an IPv4 address, or an IPv6 network of 64 bits, which is what one subscriber has.
enum Source: Sendable, Hashable {
    case address(UInt32)
    case network(UInt64)
    /// No address of the internet: a socket of another family.
    case unknown

    /// The address of a socket's other end, as the server writes it.
    init(peer: String) {
        self = Source(Array(peer.utf8)[...]) ?? .unknown
    }

    /// Nil for anything but an address in its usual spellings; an IPv4 address mapped into IPv6 is the IPv4 address.
    init?(_ text: ArraySlice<UInt8>) {
        // inet_pton reads up to the first NUL, which no address has.
        guard text.count <= 45, !text.contains(0) else { return nil }
        let terminated = text.map { CChar(bitPattern: $0) } + [0]
        var four = in_addr()
        if inet_pton(AF_INET, terminated, &four) == 1 {
            self = .address(UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, terminated, &six) == 1 else { return nil }
        self = withUnsafeBytes(of: &six) { bytes in
            let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            return high == 0 && low >> 32 == 0xffff ? .address(UInt32(truncatingIfNeeded: low)) : .network(high)
        }
    }

    /// A node as proxies name it: an address, or one with a port, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`.
    init?(node: ArraySlice<UInt8>) {
        if node.first == UInt8(ascii: "[") {
            guard let end = node.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let rest = node[(end + 1)...]
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
            self.init(node[(node.startIndex + 1)..<end])
            return
        }
        let colons = node.indices.filter { node[$0] == UInt8(ascii: ":") }
        self.init(colons.count == 1 ? node[..<colons[0]] : node)
    }
}
