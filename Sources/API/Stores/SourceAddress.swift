import Glibc

/// Who counts as one sender: an IPv4 address, or an IPv6 network of 64 bits, which is what one subscriber has.
enum SourceAddress {
    static func of(peer: String) -> String {
        var address = in6_addr()
        guard peer.utf8.contains(UInt8(ascii: ":")), inet_pton(AF_INET6, peer, &address) == 1 else { return peer }
        return withUnsafeBytes(of: &address) { bytes in
            bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
        }
    }
}
