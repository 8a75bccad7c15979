/// Web origins as browsers send them (RFC 6454 §6.2), so that comparing bytes is comparing origins.
package enum WebOrigin {
    static let expectation =
        "must be a web origin as browsers send it, such as \"https://app.example\": scheme http or https, host in lower case, "
        + "a port only where it is not the scheme's own, no path"

    /// Whether a text is `scheme://host` or `scheme://host:port`, at most 255 bytes, and could be sent by a browser.
    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 255 else { return false }
        for (scheme, ownPort) in [("https://", 443), ("http://", 80)] where text.utf8.starts(with: scheme.utf8) {
            return isAuthority(text.utf8.dropFirst(scheme.utf8.count), ownPort: ownPort)
        }
        return false
    }

    private static func isAuthority(_ authority: Substring.UTF8View, ownPort: Int) -> Bool {
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = authority[authority.index(after: authority.startIndex)..<end]
            let isHexadecimal = address.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
                case UInt8(ascii: ":"): true
                default: false
                }
            }
            let rest = authority[authority.index(after: end)...]
            return address.count >= 2 && isHexadecimal && (rest.isEmpty || isPort(rest, ownPort: ownPort))
        }
        let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        let rest = authority[end...]
        return isHost(authority[..<end]) && (rest.isEmpty || isPort(rest, ownPort: ownPort))
    }

    private static func isHost(_ host: Substring.UTF8View) -> Bool {
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                    case UInt8(ascii: "-"), UInt8(ascii: "_"): true
                    default: false
                    }
                }
        }
    }

    /// A colon and a port of 1 to 65535, written without leading zeros; the scheme's own is never sent.
    private static func isPort(_ rest: Substring.UTF8View, ownPort: Int) -> Bool {
        let digits = rest.dropFirst()
        guard rest.first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.first != UInt8(ascii: "0") else {
            return false
        }
        var port = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return false }
            port = port * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return port <= 65_535 && port != ownPort
    }
}
