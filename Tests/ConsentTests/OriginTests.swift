import Consent
import Testing

@Suite struct OriginTests {
    @Test(
        "origins as browsers send them",
        arguments: [
            "https://app.example", "http://app.example", "https://app.example:8443", "http://localhost",
            "http://localhost:3000", "http://127.0.0.1:5173", "https://xn--bcher-kva.example",
            "https://a.b.c.d.example",
            "https://my_app.example", "http://[::1]:3000", "https://[2001:db8::1]", "http://[::]",
            "https://[2001:db8:0:1:1:1:1:1]", "https://[1::]", "http://app.example:443", "https://app.example:80",
            "https://app.example:1", "https://app.example:65535", "https://1a.example1", "https://0x1.example",
            "https://[2001:0:0:1::1]", "https://[::ffff:102:304]",
        ])
    func valid(origin: String) {
        #expect(Origin.isValid(origin))
    }

    @Test(
        "what a browser would never send",
        arguments: [
            "", "null", "*", "https://", "https://*", "https://*.example", "app.example", "//app.example",
            "https://app.example/", "https://app.example/path", "https://app.example?", "https://app.example#",
            "https://App.example", "HTTPS://app.example", "ftp://app.example", "capacitor://localhost",
            "https://user@app.example", "https://app.example:", "https://app.example:0", "https://app.example:080",
            "https://app.example:65536", "https://app.example:99999999999999999999", "https://app.example:80a",
            "https://app.example:-1", "https://app.example:443", "http://app.example:80", "https://app.example.",
            "https://.example", "https://app..example", "https://-app.example", "https://app-.example",
            "https://b\u{fc}cher.example", "https://app.example ", " https://app.example", "https://app.example\n",
            "https://app example", "https://app%2eexample", "https://1.2.3", "https://1.2.3.256", "https://1.2.3.04",
            "https://1.2.3.4.5", "https://123", "https://app.0x1f", "https://app.0x", "https://app.7", "https://[::1",
            "https://::1", "https://[]", "https://[0:0:0:0:0:0:0:1]", "https://[::0001]", "https://[::A]",
            "https://[1::2::3]", "https://[1:2:3:4:5:6:7]", "https://[1:2:3:4:5:6:7:8:9]", "https://[::1]x",
            "https://[::1]:", "https://[::1.2.3.4]", "https://[fe80::1%25eth0]", "https://[2001:db8::1:0:0:1]x",
            "https://[1:0::1]", "https://[2001:db8::1:1:1:1:1]", "https://[:1:2:3:4:5:6:7]", "https://[:]",
            "https://[:::]", "https://[::1]]", "https://a:b:1", "https:/app.example", "https://app.example:80:80",
            "https://[1::2:0:0:0:3]",
        ])
    func invalid(origin: String) {
        #expect(!Origin.isValid(origin))
    }

    @Test("a label is at most 63 bytes, a host at most 253")
    func length() {
        let label = String(repeating: "a", count: 63)
        let host = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(Origin.isValid("https://\(label).example"))
        #expect(!Origin.isValid("https://\(label)a.example"))
        #expect(Origin.isValid("https://\(host)"))
        #expect(!Origin.isValid("https://\(host)a"))
    }
}
