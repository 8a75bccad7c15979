/// Addresses that no receiver on the open Internet has: IANA's registries of special-purpose addresses (IPv4 and IPv6,
/// RFC 6890), multicast, and all of IPv6 that is not global unicast.
///
/// Entries the registries call globally reachable (anycast of the protocols' own services) are here too: none of them
/// receives webhooks.
enum SpecialPurpose {
    /// What an address is for, or nil where it is an ordinary public one.
    ///
    /// An address that only carries an IPv4 address through a translator (RFC 6052) is what it carries, since receivers with
    /// IPv4 alone are reached so from networks with IPv6 alone.
    static func of(_ address: IPAddress) -> String? {
        let address = address.unmapped
        guard case .v6(let high, let low) = address else { return table4.first { $0.range.contains(address) }?.purpose }
        if let known = table6.first(where: { $0.range.contains(address) }) { return known.purpose }
        if high == 0x0064_ff9b_0000_0000, low >> 32 == 0 {
            return of(.v4(UInt32(truncatingIfNeeded: low))).map { $0 + ", behind a translator" }
        }
        return high >> 61 == 1 ? nil : "no global unicast address"
    }

    private static let table4 = table([
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private use"),
        ("100.64.0.0/10", "shared behind a carrier"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private use"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "AS112"),
        ("192.52.193.0/24", "multicast tunnels"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private use"),
        ("192.175.48.0/24", "AS112"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255", "broadcast"),
        ("240.0.0.0/4", "reserved"),
    ])

    private static let table6 = table([
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::/96", "IPv4-compatible"),
        ("::ffff:0:0:0/96", "IPv4-translated"),
        ("64:ff9b:1::/48", "local translation"),
        ("100::/64", "discard only"),
        ("100:0:0:1::/64", "dummy prefix"),
        ("2001::/32", "Teredo"),
        ("2001:2::/48", "benchmarking"),
        ("2001:10::/28", "ORCHID"),
        ("2001:20::/28", "ORCHIDv2"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("2620:4f:8000::/48", "AS112"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "unique local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    ])

    private static func table(_ rows: [(range: String, purpose: String)]) -> [(range: AddressRange, purpose: String)] {
        rows.compactMap { row in AddressRange(row.range).map { ($0, row.purpose) } }
    }

    /// How many ranges the tables hold, which says that each of them could be read.
    static var rangeCount: Int { table4.count + table6.count }
}
