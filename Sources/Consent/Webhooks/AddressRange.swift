/// All addresses that begin with the same bits, written as `10.0.0.0/8` or `fd00::/8`; a single address needs no length.
package struct AddressRange: Sendable, Hashable {
    /// The first address of the range.
    let first: IPAddress
    /// How many leading bits are the same.
    let bits: Int

    /// Nil where the text is no range: a malformed address or length, or bits set past the length, which would leave open
    /// which of two ranges was meant. A range of mapped addresses is one of IPv4 addresses and is written as such.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let written = parts.first, let address = IPAddress(Array(written)[...]), address.unmapped == address
        else {
            return nil
        }
        var bits = address.width
        if parts.count == 2 {
            guard let length = Self.length(parts[1]), length <= bits else { return nil }
            bits = length
        }
        guard address.masked(to: bits) == address else { return nil }
        first = address
        self.bits = bits
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.width == first.width && address.masked(to: bits) == first
    }

    private static func length(_ digits: Substring.UTF8View) -> Int? {
        guard (1...3).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension AddressRange: CustomStringConvertible {
    package var description: String { "\(first)/\(bits)" }
}

extension IPAddress {
    /// Bits of an address of this kind.
    fileprivate var width: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    /// The address with only so many leading bits left.
    fileprivate func masked(to bits: Int) -> IPAddress {
        switch self {
        case .v4(let value): .v4(value & ~(UInt32.max >> UInt32(bits)))
        case .v6(let high, let low):
            .v6(
                high: high & ~(UInt64.max >> UInt64(min(bits, 64))),
                low: low & ~(UInt64.max >> UInt64(max(bits - 64, 0))))
        }
    }
}
