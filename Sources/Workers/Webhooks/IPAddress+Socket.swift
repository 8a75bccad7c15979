import Consent
import Glibc

extension IPAddress {
    /// The address in a socket's own form; nil for a family that has none.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let value = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
            self = .v4(UInt32(bigEndian: value))
        case AF_INET6:
            let value = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self = withUnsafeBytes(of: value) { bytes in
                .v6(
                    high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        default: return nil
        }
    }
}
