/// An address of the Internet Protocol, as a number and not as a spelling.
package enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)

    /// The address that is spoken to: an IPv4 address written as an IPv6 one (RFC 4291 §2.5.5.2) is the IPv4 address.
    package var unmapped: IPAddress {
        guard case .v6(0, let low) = self, low >> 32 == 0xffff else { return self }
        return .v4(UInt32(truncatingIfNeeded: low))
    }
}

extension IPAddress {
    /// Reads four decimal numbers, or an IPv6 address in any form of RFC 4291 §2.2; nil for every other spelling, those of
    /// `inet_aton` (`127.1`, `0x7f000001`, `0177.0.0.1`) and zones (`fe80::1%eth0`) included.
    package init?(_ text: String) {
        self.init(Array(text.utf8)[...])
    }

    init?(_ text: ArraySlice<UInt8>) {
        if text.contains(UInt8(ascii: ":")) {
            guard let groups = IPv6.groups(text) else { return nil }
            self.init(groups)
        } else {
            guard let value = Self.dotted(text) else { return nil }
            self = .v4(value)
        }
    }

    private init(_ groups: [UInt16]) {
        let halves = groups.reduce(into: (high: UInt64(0), low: UInt64(0))) { halves, group in
            halves.high = halves.high << 16 | halves.low >> 48
            halves.low = halves.low << 16 | UInt64(group)
        }
        self = .v6(high: halves.high, low: halves.low)
    }

    /// The value of `a.b.c.d` with decimal numbers up to 255 and without leading zeros.
    static func dotted(_ text: ArraySlice<UInt8>) -> UInt32? {
        guard text.count <= 15 else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            var number: UInt32 = 0
            for byte in part {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
            }
            guard number <= 255 else { return nil }
            value = value << 8 | number
        }
        return value
    }
}

extension IPAddress: CustomStringConvertible {
    /// Four decimal numbers, or the one short form of RFC 5952.
    package var description: String {
        switch self {
        case .v4(let value):
            stride(from: 24, through: 0, by: -8).map { String(value >> UInt32($0) & 0xff) }.joined(separator: ".")
        case .v6(let high, let low):
            IPv6.shortForm(
                [high, low].flatMap { half in
                    stride(from: 48, through: 0, by: -16).map { UInt16(truncatingIfNeeded: half >> UInt64($0)) }
                })
        }
    }
}
