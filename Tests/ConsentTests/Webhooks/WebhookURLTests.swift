import Testing

@testable import Consent

@Suite("URLs that webhooks are sent to")
struct WebhookURLTests {
    @Test(
        "a URL is read and written in one spelling",
        arguments: [
            ("https://hooks.example/assent", "https://hooks.example/assent"),
            ("https://hooks.example", "https://hooks.example/"),
            ("https://hooks.example?token=a%2fb", "https://hooks.example/?token=a%2fb"),
            ("HTTPS://Hooks.Example:443/A?B=c", "https://hooks.example/A?B=c"),
            ("https://hooks.example:8443/", "https://hooks.example:8443/"),
            ("http://hooks.example:80/", "http://hooks.example/"),
            ("http://hooks.example:443/", "http://hooks.example:443/"),
            ("https://receiver/", "https://receiver/"),
            ("https://my_receiver.internal/", "https://my_receiver.internal/"),
            ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
            ("https://8.8.8.8:1/", "https://8.8.8.8:1/"),
            ("https://[2606:4700:0:0:0:0:0:1111]:65535/", "https://[2606:4700::1111]:65535/"),
            ("https://[::FFFF:8.8.8.8]/", "https://[::ffff:808:808]/"),
            (
                "https://hooks.example/a:b@c/d;e=f,g?h=!$&'()*+~-._/?@:",
                "https://hooks.example/a:b@c/d;e=f,g?h=!$&'()*+~-._/?@:"
            ),
            ("https://hooks.example//../.", "https://hooks.example//../."),
        ])
    func spelling(text: String, canonical: String) throws {
        let url = try WebhookURL(text)
        #expect(url.text == canonical)
        #expect(try WebhookURL(url.text) == url)
    }

    @Test(
        "every other spelling of an address is refused, whatever the operator allows",
        arguments: [
            "2130706433", "017700000001", "0x7f000001", "0X7F000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0.0.1",
            "0x7f.1",
            "127.0.0.01", "127.0.0.0x1", "0x", "127.0.0.0x", "00000177.1", "0", "1", "127.0.0.1.5", "256.0.0.1",
            "127.0.0.256", "4294967297", "127.0.0.1.1.1", "hooks.example.1", "hooks.0x1", "169.254.43518", "0xa9fea9fe",
            "[127.0.0.1]", "[::1%lo]", "[::1%25lo]", "[fe80::1%25eth0]", "[::1", "[]", "[::]extra[", "[v1.a:b]",
            "[:1::2]",
            "[1::2::3]", "[0x1::]", "[::127.1]", "[::0177.0.0.1]", "[::ffff:2130706433]", "[::１]",
        ])
    func literals(host: String) {
        let fault = #expect(throws: WebhookURLFault.self) { try WebhookURL("https://\(host)/") }
        #expect(fault == .address || fault == .port)
    }

    @Test(
        "hosts that somebody reads as another are refused",
        arguments: [
            "", ".", "..", "localhost.", "127.0.0.1.", "hooks.example.", ".hooks.example", "a..b", "-a.example",
            "a-.example",
            "127%2e0%2e0%2e1", "%31%32%37.0.0.1", "localhost%00", "１２７.0.0.1", "127。0。0。1", "127．0．0．1", "①②⑦.0.0.1",
            "ⓛocalhost", "loc\u{ad}alhost", "bücher.example", "a b", "a\tb", "a\u{0}b", "a\u{7f}", "a\\b",
            "hooks.example\\",
            "::1", "a,b", "a;b", "a'b", "a\"b", "a|b", "a^b", "a{b}", "a<b>", "*", "$host", "a+b", "~",
            String(repeating: "a", count: 64), String(repeating: "a.", count: 127),
        ])
    func hosts(host: String) {
        #expect(throws: WebhookURLFault.host) { try WebhookURL("https://\(host)/") }
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ("", WebhookURLFault.scheme), ("hooks.example", .scheme), ("//hooks.example/", .scheme),
            ("ftp://a/", .scheme),
            ("https:/a/", .scheme), ("https:a", .scheme), (" https://a/", .scheme), ("file:///etc/passwd", .scheme),
            ("gopher://a/", .scheme), ("javascript:1", .scheme), ("httpſ://a/", .scheme), ("https//a", .scheme),
            ("https://user@a/", .credentials), ("https://user:pass@a/", .credentials), ("https://@a/", .credentials),
            ("https://8.8.8.8@127.0.0.1/", .credentials), ("https://a:b@c:1/", .credentials),
            ("https:///path", .host), ("https://?a", .host), ("https://:443/", .host), ("https://#a", .host),
            ("https://a:/", .port), ("https://a:0/", .port), ("https://a:65536/", .port), ("https://a:-1/", .port),
            ("https://a:080/", .port), ("https://a:8o/", .port), ("https://a:443:443/", .port),
            ("https://[::1]443/", .port),
            ("https://[::1]:/", .port), ("https://a:１/", .port), ("https://[::1].example/", .port),
            ("https://a/#", .fragment), ("https://a/b#c", .fragment), ("https://a#c", .fragment),
            ("https://a?b#c", .fragment),
            ("https://a/ ", .target), ("https://a/b c", .target), ("https://a/\u{e9}", .target),
            ("https://a/%", .target),
            ("https://a/%2", .target), ("https://a/%zz", .target), ("https://a/\\b", .target),
            ("https://a/\r\nX: y", .target),
            ("https://a/\u{0}", .target), ("https://a/<>", .target), ("https://a/\"", .target),
            ("https://a/{id}", .target),
            ("https://a/[1]", .target), ("https://a/|", .target), ("https://a/^`", .target),
            ("https://a/\u{7f}", .target),
            ("https://a/" + String(repeating: "b", count: 2_048), .tooLong),
        ])
    func faults(text: String, fault: WebhookURLFault) {
        #expect(throws: fault) { try WebhookURL(text) }
    }

    @Test("the longest URL is taken")
    func longest() throws {
        let url = try WebhookURL("https://a/" + String(repeating: "b", count: WebhookURL.longest - 10))
        #expect(url.text.utf8.count == WebhookURL.longest)
    }

    @Test("what stands in logs is the origin alone")
    func origin() throws {
        #expect(try WebhookURL("https://hooks.example:8443/secret?token=1").description == "https://hooks.example:8443")
    }
}
