import Glibc
import Testing

@testable import Consent

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "IPv4 is read from four decimal numbers and from no other spelling",
        arguments: [
            "127.0.0.1", "0.0.0.0", "255.255.255.255", "8.8.8.8", "127.1", "127", "2130706433", "0x7f000001", "0x7f.1",
            "0177.0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0.1.", ".127.0.0.1", "127..0.1", "127.0.0.1 ",
            " 127.0.0.1",
            "127.0.0.1\n", "+127.0.0.1", "127.0.0.-1", "", "1.2.3", "1.2.3.4.5", "１27.0.0.1", "127。0.0.1", "1e1.0.0.1",
            "0000127.0.0.1", "127.0.0.1/8", "1.2.3.4000000000",
        ])
    func reading4(text: String) {
        var address = in_addr()
        // inet_pton takes exactly the usual form; inet_aton, which resolvers use, takes all the others.
        let expected = inet_pton(AF_INET, text, &address) == 1 ? UInt32(bigEndian: address.s_addr) : nil
        #expect(IPAddress(text) == expected.map { .v4($0) })
    }

    @Test(
        "IPv6 is read as inet_pton reads it, and written in its short form",
        arguments: [
            "::", "::1", "1::", "1::1", "2001:db8::7", "2001:DB8:0:0:0:0:0:7", "0:0:0:0:0:0:0:0", "1:2:3:4:5:6:7:8",
            "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::192.0.2.33", "1:2:3:4:5:6:1.2.3.4", "fe80::1", "::8",
            "1:0:0:2::3",
            "00001::", ":1::2", "1::2:", ":", "", ":::", "1:::2", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "::1.2.3.256", "::0x1.2.3.4", "::01.2.3.4", "fe80::1%eth0", "fe80::1%1",
            "[::1]", "::g", "1.2.3.4::", "::1.2.3.4:5", "2001:db8::7/32", "::１", " ::1", "12345::", "1:", ":1",
        ])
    func reading6(text: String) {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else {
            #expect(IPAddress(text) == nil)
            return
        }
        let halves = withUnsafeBytes(of: &address) { bytes in
            (
                bytes.loadUnaligned(as: UInt64.self).bigEndian,
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            )
        }
        let read = IPAddress(text)
        #expect(read == .v6(high: halves.0, low: halves.1))
        #expect(read.flatMap { IPAddress($0.description) } == read)
    }

    @Test(
        "a mapped address is the IPv4 address", arguments: ["::ffff:10.0.0.1", "::FFFF:0a00:1", "0:0:0:0:0:ffff:a00:1"])
    func mapped(text: String) {
        #expect(IPAddress(text)?.unmapped == .v4(0x0a00_0001))
    }

    @Test(
        "only mapped addresses are unmapped",
        arguments: ["::10.0.0.1", "::fffe:10.0.0.1", "1::ffff:10.0.0.1", "::ffff:0:a00:1"])
    func others(text: String) {
        #expect(IPAddress(text).map { $0.unmapped == $0 } == true)
    }
}

@Suite("Ranges of addresses")
struct AddressRangeTests {
    @Test(
        "a range holds the addresses with its leading bits, and no others",
        arguments: [
            ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0", "::10.0.0.1"]),
            ("172.16.0.0/12", ["172.16.0.0", "172.31.255.255"], ["172.15.255.255", "172.32.0.0"]),
            ("127.0.0.1", ["127.0.0.1"], ["127.0.0.0", "127.0.0.2"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::"]),
            ("::/0", ["::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], ["1.2.3.4"]),
            ("fd00::/8", ["fd00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], ["fcff::", "fe00::"]),
            ("2001:db8::/65", ["2001:db8::7fff:ffff:ffff:ffff"], ["2001:db8:0:0:8000::"]),
            ("2001:db8:0:1::/64", ["2001:db8:0:1:ffff::"], ["2001:db8::", "2001:db8:0:2::"]),
            ("::1/128", ["::1"], ["::", "::2"]),
        ])
    func contains(range: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(range))
        for text in inside { #expect(range.contains(try #require(IPAddress(text))), "\(text)") }
        for text in outside { #expect(!range.contains(try #require(IPAddress(text))), "\(text)") }
        #expect(AddressRange(range.description) == range)
    }

    @Test(
        "what is no range is refused",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.1/8", "2001:db8::1/64", "10.0.0.0/08", "10.0.0.0/+8",
            "10.0.0.0/8/8", "10/8", "0x0a.0.0.0/8", "::ffff:10.0.0.0/104", "fe80::1%eth0", "localhost", "10.0.0.0 /8",
            "10.0.0.0/999999999999999999999",
        ])
    func refused(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
