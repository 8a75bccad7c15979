/// Reads host and port of a webhook's URL.
enum WebhookAuthority {
    static func read(
        _ text: ArraySlice<UInt8>, ownPort: Int
    ) throws(WebhookURLFault) -> (host: WebhookURL.Host, port: Int) {
        let written: ArraySlice<UInt8>
        let host: WebhookURL.Host
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")),
                text[..<end].contains(UInt8(ascii: ":")), let address = IPAddress(text[..<end].dropFirst())
            else { throw .address }
            host = .address(address)
            written = text[(end + 1)...]
        } else {
            let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            host = try name(text[..<end])
            written = text[end...]
        }
        guard let colon = written.first else { return (host, ownPort) }
        guard colon == UInt8(ascii: ":"), let port = port(written.dropFirst()) else { throw .port }
        return (host, port)
    }

    /// A name of letters, digits, hyphens and underscores in labels; or an IPv4 address in its usual form alone, since every
    /// name that ends in a number is an address to somebody (WHATWG URL §3.5, `inet_aton`).
    private static func name(_ text: ArraySlice<UInt8>) throws(WebhookURLFault) -> WebhookURL.Host {
        guard (1...253).contains(text.count) else { throw .host }
        let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last else { throw .host }
        if isNumber(last) {
            guard let address = IPAddress.dotted(text) else { throw .address }
            return .address(.v4(address))
        }
        return .name(String(decoding: text.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        guard (1...63).contains(label.count) else { return false }
        guard label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else { return false }
        return label.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    /// Decimal or octal digits, or `0x` and hexadecimal ones.
    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        if label.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        guard label.first == UInt8(ascii: "0"), let mark = label.dropFirst().first, mark | 0x20 == UInt8(ascii: "x")
        else {
            return false
        }
        return label.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return port <= 65_535 ? port : nil
    }
}
