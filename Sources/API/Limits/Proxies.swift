import HTTPServer

/// The proxies between the clients and this server, and where they say whom they forward for.
///
/// Each proxy appends the address it was spoken to from. So of what stands there only as many entries from the end are believed as
/// there are proxies: whatever is before them, the client may have written itself. The client is the first of the believed.
package struct Proxies: Sendable, Hashable {
    /// The header they all use. A client's own header of the other name passes them unchanged, so only one is ever read.
    package enum Header: String, Sendable, CaseIterable {
        case forwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
    }

    package let count: Int
    package let header: Header

    package init(count: Int, header: Header) {
        self.count = count
        self.header = header
    }

    /// None: the peer of the socket is the client.
    package static let none = Proxies(count: 0, header: .forwardedFor)

    /// Where a request came from; the socket's peer where its proxies name no address.
    func source(of head: RequestHead) -> Source {
        guard count > 0, let entry = believed(head.headers), let source = Source(node: entry) else {
            return Source(peer: head.peer)
        }
        return source
    }

    /// The node named by the first entry that is believed.
    private func believed(_ headers: Headers) -> ArraySlice<UInt8>? {
        var entries: [ArraySlice<UInt8>] = []
        for line in headers.all(header.rawValue).reversed() where entries.count < count {
            entries += Self.entries(Array(line.utf8)[...], atMost: count - entries.count)
        }
        guard let entry = entries.last else { return nil }
        return header == .forwarded ? Self.node(of: entry) : entry
    }

    /// The last entries of a list, the very last first. Read from the end, because a quote that a client left open must not swallow
    /// what the proxies appended.
    private static func entries(_ line: ArraySlice<UInt8>, atMost limit: Int) -> [ArraySlice<UInt8>] {
        var entries: [ArraySlice<UInt8>] = []
        var isQuoted = false
        var end = line.endIndex
        for index in line.indices.reversed() where entries.count < limit {
            if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard line[index] == UInt8(ascii: ","), !isQuoted else { continue }
            let entry = trimmed(line[(index + 1)..<end])
            if !entry.isEmpty { entries.append(entry) }
            end = index
        }
        let first = trimmed(line[..<end])
        if entries.count < limit, !first.isEmpty { entries.append(first) }
        return entries
    }

    /// The value of `for` in an element of `Forwarded`.
    private static func node(of element: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for pair in element.split(separator: UInt8(ascii: ";")) {
            let pair = trimmed(pair)
            guard pair.count > 4, zip(pair, "for=".utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            let value = pair.dropFirst(4)
            let isQuoted = value.count >= 2 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
            return isQuoted ? value.dropFirst().dropLast() : value
        }
        return nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return bytes[first...last]
    }
}
