/// A web origin in the one form a browser sends it, such as `https://app.example` or `http://localhost:3000`.
package enum Origin {
    /// Whether a text is `https` or `http`, a host and, unless it is the scheme's own, a port; all in lower case, with
    /// nothing after it.
    ///
    /// Origins are compared as bytes, so whatever a browser would write differently (a path, a trailing slash or dot,
    /// port 443 of `https`, an uncompressed IPv6 address) would be stored and never match: it is refused instead.
    /// `null` and `*` name no origin.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        for (scheme, ownPort) in [("https://", 443), ("http://", 80)] where bytes.starts(with: scheme.utf8) {
            let (host, port) = parts(bytes.dropFirst(scheme.utf8.count))
            guard isHost(host) else { return false }
            guard let port else { return true }
            guard let number = portNumber(port) else { return false }
            return number != ownPort
        }
        return false
    }

    /// Host and port; the port is what follows the first colon outside brackets, nil without a colon.
    private static func parts(_ authority: ArraySlice<UInt8>) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
        let afterBracket = authority.firstIndex(of: 0x5d) ?? authority.startIndex
        guard let colon = authority[afterBracket...].firstIndex(of: 0x3a) else { return (authority, nil) }
        return (authority[..<colon], authority[(colon + 1)...])
    }

    private static func portNumber(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...5).contains(digits.count), digits.first != 0x30 else { return nil }
        return number(digits).flatMap { $0 <= 65_535 ? $0 : nil }
    }

    private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
        if host.first == 0x5b { return host.last == 0x5d && IPv6.isCanonical(host.dropFirst().dropLast()) }
        guard (1...253).contains(host.count) else { return false }
        let labels = host.split(separator: 0x2e, omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last else { return false }
        return endsInNumber(last) ? isIPv4(labels) : true
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        guard (1...63).contains(label.count), label.first != 0x2d, label.last != 0x2d else { return false }
        return label.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7a, 0x2d, 0x5f: true
            default: false
            }
        }
    }

    /// A browser reads a host whose last label is a number, decimal or hexadecimal, as an IPv4 address.
    private static func endsInNumber(_ label: ArraySlice<UInt8>) -> Bool {
        if number(label) != nil { return true }
        guard label.starts(with: [0x30, 0x78]) else { return false }
        return label.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func isIPv4(_ labels: [ArraySlice<UInt8>]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                guard let value = number(label), label.count <= 3 else { return false }
                return value <= 255 && (label.count == 1 || label.first != 0x30)
            }
    }

    /// The value of decimal digits; nil for anything else. Saturates, so that no length traps.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1_000_000) }
    }
}
