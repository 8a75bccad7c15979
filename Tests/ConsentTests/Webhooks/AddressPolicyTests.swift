import Testing

@testable import Consent

@Suite("Which addresses webhooks may be sent to")
struct AddressPolicyTests {
    /// First and last address of every range of IANA's special-purpose registries, and of what else is no public unicast.
    static let special = [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0",
        "127.0.0.1",
        "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255",
        "192.0.0.0",
        "192.0.0.8", "192.0.0.9", "192.0.0.10", "192.0.0.170", "192.0.0.255", "192.0.2.0", "192.0.2.255",
        "192.31.196.0",
        "192.31.196.255", "192.52.193.0", "192.52.193.255", "192.88.99.0", "192.88.99.255", "192.168.0.0",
        "192.168.255.255",
        "192.175.48.0", "192.175.48.255", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255",
        "203.0.113.0",
        "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255",
        "::", "::1", "::2", "::127.0.0.1", "::8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b:1::",
        "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
        "64:ff9b:1::8.8.8.8", "100::", "100::ffff:ffff:ffff:ffff", "100:0:0:1::", "2001::", "2001:0:ffff::1",
        "2001:1::1",
        "2001:2::", "2001:2:0:ffff::", "2001:3::1", "2001:4:112::", "2001:10::", "2001:1f:ffff::", "2001:20::",
        "2001:2f:ffff::",
        "2001:30::", "2001:1ff:ffff::", "2001:db8::", "2001:db8:ffff::", "2002::", "2002:7f00:1::", "2002:808:808::",
        "2002:ffff:ffff:ffff::", "2620:4f:8000::", "2620:4f:8000:ffff::", "3fff::", "3fff:fff:ffff::", "5f00::",
        "5f00:ffff::",
        "fc00::", "fd12:3456::1", "fdff:ffff::", "fe80::1", "febf:ffff::", "fec0::", "feff:ffff::", "ff00::", "ff02::1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b::1:808:808", "4000::1", "8000::", "1fff::1", "64:ff9a::8.8.8.8",
    ]

    /// The neighbours of those ranges.
    static let open = [
        "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.1.255",
        "192.0.3.0", "192.31.195.255", "192.31.197.0", "192.52.192.255", "192.52.194.0", "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255", "192.169.0.0", "192.175.47.255", "192.175.49.0", "198.17.255.255", "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
        "2000::1", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::", "2606:4700::1111", "2620:4f:7fff::",
        "2620:4f:8001::",
        "3ffe:ffff::", "3fff:1000::", "3fff:ffff::", "64:ff9b::8.8.8.8", "64:ff9b::1.1.1.1",
    ]

    @Test("the tables could be read in full")
    func tables() {
        #expect(SpecialPurpose.rangeCount == 40)
    }

    @Test("special-purpose addresses are refused", arguments: special)
    func specialAddresses(text: String) throws {
        let address = try #require(IPAddress(text))
        for isPlain in [true, false] {
            guard case .special = AddressPolicy().refusal(of: address, isPlain: isPlain) else {
                Issue.record("\(text) is taken")
                continue
            }
        }
    }

    @Test("public addresses are taken by https and refused by http", arguments: open)
    func openAddresses(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().refusal(of: address, isPlain: false) == nil)
        #expect(AddressPolicy().refusal(of: address, isPlain: true) == .plain)
    }

    @Test("a mapped address is judged as the IPv4 address it is", arguments: special + open)
    func mapped(text: String) throws {
        guard case .v4(let value) = try #require(IPAddress(text)) else { return }
        let mapped = IPAddress.v6(high: 0, low: 0xffff << 32 | UInt64(value))
        let policy = AddressPolicy(allowed: [try #require(AddressRange("10.0.0.0/8"))])
        for isPlain in [true, false] {
            #expect(policy.refusal(of: mapped, isPlain: isPlain) == policy.refusal(of: .v4(value), isPlain: isPlain))
        }
    }

    @Test("what the operator allows is taken by both, and nothing beside it")
    func allowed() throws {
        let policy = AddressPolicy(allowed: ["10.1.0.0/16", "fd00::/8", "8.8.8.8"].compactMap { AddressRange($0) })
        for text in ["10.1.0.1", "::ffff:10.1.0.1", "fd00::1", "8.8.8.8"] {
            for isPlain in [true, false] {
                #expect(policy.refusal(of: try #require(IPAddress(text)), isPlain: isPlain) == nil, "\(text)")
            }
        }
        for text in ["10.2.0.1", "127.0.0.1", "::1", "fc00::1", "64:ff9b::10.1.0.1", "2002:a01:1::", "::10.1.0.1"] {
            #expect(policy.refusal(of: try #require(IPAddress(text)), isPlain: false) != nil, "\(text)")
        }
        #expect(policy.refusal(of: .v4(0x0808_0404), isPlain: true) == .plain)
    }

    private func refusal(_ url: String, allowed: [String] = []) throws -> AddressRefusal? {
        AddressPolicy(allowed: allowed.compactMap { AddressRange($0) }).refusal(of: try WebhookURL(url))
    }

    @Test("literals are judged when the URL is read, names when they are connected to")
    func urls() throws {
        #expect(try refusal("https://hooks.example/x") == nil)
        #expect(try refusal("http://hooks.example/x") == .plain)
        #expect(try refusal("http://hooks.example/x", allowed: ["10.0.0.0/8"]) == nil)
        #expect(try refusal("http://8.8.8.8/x", allowed: ["10.0.0.0/8"]) == .plain)
        #expect(try refusal("https://8.8.8.8/x") == nil)
        #expect(try refusal("https://[2606:4700::1111]/x") == nil)
        #expect(try refusal("https://127.0.0.1/x") == .special(purpose: "loopback"))
        #expect(try refusal("https://[::ffff:127.0.0.1]/x") == .special(purpose: "loopback"))
        #expect(try refusal("https://[::ffff:7f00:1]/x", allowed: ["127.0.0.0/8"]) == nil)
        #expect(try refusal("http://127.0.0.1:8080/x", allowed: ["127.0.0.0/8"]) == nil)
        #expect(try refusal("https://[64:ff9b::10.0.0.1]/") == .special(purpose: "private use, behind a translator"))
    }

    @Test(
        "names of the machine itself are refused unless its loopback is allowed",
        arguments: ["localhost", "LOCALHOST", "a.localhost", "localhost.localdomain", "ip6-loopback", "ip6-localhost"])
    func localNames(name: String) throws {
        #expect(try refusal("https://\(name)/") == .special(purpose: "loopback"))
        #expect(try refusal("http://\(name)/", allowed: ["10.0.0.0/8"]) == .special(purpose: "loopback"))
        #expect(try refusal("http://\(name)/", allowed: ["127.0.0.0/8"]) == nil)
        #expect(try refusal("https://\(name)/", allowed: ["::1"]) == nil)
    }

    @Test("one refused address of a name refuses it")
    func resolved() throws {
        let url = try WebhookURL("https://hooks.example/")
        let policy = AddressPolicy()
        #expect(policy.refusal(of: url, resolved: []) == nil)
        #expect(policy.refusal(of: url, resolved: [.v4(0x0808_0808)]) == nil)
        #expect(
            policy.refusal(of: url, resolved: [.v4(0x0808_0808), .v4(0xa9fe_a9fe)]) == .special(purpose: "link-local"))
    }
}
