import HTTPServer
import Testing

@testable import API

/// Whom a request counts for: which spellings are one address, and what of the proxies' words is believed.
struct SourceTests {
    private func source(
        _ count: Int, _ header: Proxies.Header, peer: String = "10.0.0.9", _ fields: (String, String)...
    ) -> Source {
        let headers = Headers(fields.map { HeaderField($0.0, $0.1) })
        return Proxies(count: count, header: header).source(
            of: RequestHead(method: .get, target: "/", headers: headers, peer: peer))
    }

    @Test func addressesAndNetworks() {
        #expect(Source(peer: "192.0.2.1") == .address(0xc000_0201))
        #expect(Source(peer: "::ffff:192.0.2.1") == .address(0xc000_0201))
        #expect(Source(peer: "::ffff:c000:201") == .address(0xc000_0201))
        #expect(Source(peer: "2001:db8:0:1::1") == .network(0x2001_0db8_0000_0001))
        #expect(Source(peer: "2001:DB8:0:1:ffff::2") == Source(peer: "2001:db8:0:1::1"))
        #expect(Source(peer: "2001:db8:0:2::1") != Source(peer: "2001:db8:0:1::1"))
        #expect(Source(peer: "::1") == .network(0))
        for text in ["", "unknown", "1.2.3", "1.2.3.4.5", "01.2.3.4x", "::1%lo", "1.2.3.4\0", "g::1"] {
            #expect(Source(peer: text) == .unknown, "\(text)")
        }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:8080", "192.0.2.1"), ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"), ("2001:db8::1", "2001:db8::1"),
    ])
    func nodes(_ node: String, _ address: String) {
        #expect(Source(node: Array(node.utf8)[...]) == Source(peer: address))
    }

    @Test(arguments: ["", "[", "[]", "[::1", "[::1]x", "unknown", "_hidden", "a.example:1", "192.0.2.1:", ":1"])
    func whatIsNoNode(_ node: String) {
        let source = Source(node: Array(node.utf8)[...])
        #expect(source == nil || node == "192.0.2.1:")
    }

    @Test func withoutProxiesNobodyIsBelieved() {
        let peer = Source(peer: "10.0.0.9")
        #expect(source(0, .forwardedFor, ("X-Forwarded-For", "192.0.2.1")) == peer)
        #expect(source(0, .forwarded, ("Forwarded", "for=192.0.2.1")) == peer)
    }

    @Test func onlyTheLastEntriesAreBelieved() {
        let client = Source(peer: "192.0.2.1")
        #expect(source(1, .forwardedFor, ("X-Forwarded-For", "192.0.2.1")) == client)
        #expect(source(1, .forwardedFor, ("x-forwarded-for", "198.51.100.7, 192.0.2.1")) == client)
        #expect(source(1, .forwardedFor, ("X-Forwarded-For", "198.51.100.7,,192.0.2.1 ,\t")) == client)
        #expect(source(2, .forwardedFor, ("X-Forwarded-For", "198.51.100.7, 192.0.2.1, 10.0.0.8")) == client)
        // Several lines are one list.
        #expect(
            source(
                2, .forwardedFor, ("X-Forwarded-For", "198.51.100.7"), ("X-Forwarded-For", "192.0.2.1"),
                ("X-Forwarded-For", "10.0.0.8")) == client)
        // Who came in behind the outer proxy has fewer entries, each by a proxy that is trusted.
        #expect(source(3, .forwardedFor, ("X-Forwarded-For", "192.0.2.1, 10.0.0.8")) == client)
        // The other header is the client's own writing.
        #expect(
            source(1, .forwardedFor, ("Forwarded", "for=203.0.113.5"), ("X-Forwarded-For", "192.0.2.1")) == client)
    }

    @Test func forwardedIsReadByItsGrammar() {
        let client = Source(peer: "2001:db8:1:2::1")
        #expect(
            source(1, .forwarded, ("Forwarded", #"for="[2001:db8:1:2::7]:4711";proto=https;by=10.0.0.9"#)) == client)
        #expect(
            source(1, .forwarded, ("Forwarded", #"for=198.51.100.7, proto=https; FOR="[2001:db8:1:2::7]""#)) == client)
        #expect(
            source(2, .forwarded, ("Forwarded", #"for="[2001:db8:1:2::7]", for=10.0.0.8;host="a,b""#)) == client)
        // A quote left open by the client swallows nothing of what the proxy appended.
        #expect(source(1, .forwarded, ("Forwarded", #"for="198.51.100.7, for="[2001:db8:1:2::7]""#)) == client)
        #expect(
            source(1, .forwarded, ("Forwarded", "for=\"evil"), ("Forwarded", #"for="[2001:db8:1:2::7]""#)) == client)
    }

    @Test func whereTheProxyNamesNobodyItIsThePeer() {
        let peer = Source(peer: "10.0.0.9")
        #expect(source(1, .forwardedFor) == peer)
        #expect(source(1, .forwardedFor, ("X-Forwarded-For", "")) == peer)
        #expect(source(1, .forwardedFor, ("X-Forwarded-For", "192.0.2.1, unknown")) == peer)
        #expect(source(1, .forwarded, ("Forwarded", "for=_hidden")) == peer)
        #expect(source(1, .forwarded, ("Forwarded", "for=192.0.2.1, by=10.0.0.8")) == peer)
        #expect(source(1, .forwarded, ("Forwarded", "for=")) == peer)
    }
}
