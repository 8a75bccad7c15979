/// Where a webhook is sent: https (or http) to a host, a port and a path, read so strictly that nothing after it can read
/// another host out of it.
package struct WebhookURL: Sendable, Hashable {
    /// Whom to connect to.
    package enum Host: Sendable, Hashable {
        /// In lower case.
        case name(String)
        case address(IPAddress)
    }

    /// Whether it is `http` without TLS.
    package let isPlain: Bool
    package let host: Host
    package let port: Int
    /// Path and query as they were written, at least `/`.
    package let target: String

    package static let longest = 2_048

    /// Reads an absolute URL; says what is wrong where it is not one that webhooks can be sent to.
    package init(_ text: String) throws(WebhookURLFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.longest else { throw .tooLong }
        var rest = bytes[...]
        if Self.skip("https://", &rest) {
            isPlain = false
        } else if Self.skip("http://", &rest) {
            isPlain = true
        } else {
            throw .scheme
        }
        let end = rest.firstIndex { Self.endsAuthority($0) } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        (host, port) = try WebhookAuthority.read(authority, ownPort: isPlain ? 80 : 443)
        target = try Self.target(rest[end...])
    }

    /// The URL in one spelling: scheme and host in lower case, the address in its short form, no port where it is the
    /// scheme's own.
    package var text: String { description + target }

    /// Whether the name is one of those that mean the machine itself (RFC 6761 §6.3, and Debian's own).
    package var isLocalName: Bool {
        guard case .name(let name) = host else { return false }
        return [
            "localhost", "localhost.localdomain", "localhost6", "localhost6.localdomain6", "ip6-localhost",
            "ip6-loopback",
        ]
        .contains(name) || name.utf8.reversed().starts(with: ".localhost".utf8.reversed())
    }

    private static func skip(_ scheme: StaticString, _ text: inout ArraySlice<UInt8>) -> Bool {
        let matches = scheme.withUTF8Buffer { scheme in
            text.count >= scheme.count && zip(text, scheme).allSatisfy { lowercased($0) == $1 }
        }
        if matches { text = text.dropFirst(scheme.utf8CodeUnitCount) }
        return matches
    }

    /// A backslash ends it for browsers and not for others: it is refused by what reads the authority.
    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func target(_ text: ArraySlice<UInt8>) throws(WebhookURLFault) -> String {
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "#"): throw .fragment
            case UInt8(ascii: "%"):
                guard text[index...].dropFirst().prefix(2).filter(isHex).count == 2 else { throw .target }
                index += 2
            case let byte: guard isTargetByte(byte) else { throw .target }
            }
            index += 1
        }
        return (text.first == UInt8(ascii: "/") ? "" : "/") + String(decoding: text, as: UTF8.self)
    }

    /// What RFC 3986 §3.3 and §3.4 let stand in a path or a query as itself.
    private static func isTargetByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch lowercased(byte) {
        case 0x30...0x39, 0x61...0x66: true
        default: false
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
}

extension WebhookURL: CustomStringConvertible {
    /// The origin alone: a path or query may hold what only the receiver should know.
    package var description: String {
        let written: String
        switch host {
        case .name(let name): written = name
        case .address(.v4(let value)): written = IPAddress.v4(value).description
        case .address(let address): written = "[\(address)]"
        }
        let suffix = port == (isPlain ? 80 : 443) ? "" : ":\(port)"
        return (isPlain ? "http://" : "https://") + written + suffix
    }
}
