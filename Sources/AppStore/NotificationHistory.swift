import JSON

/// The signed notifications of a file that somebody exported: a response of the vendor's Get Notification History as it came,
/// several of them one a line, or one signed payload a line.
package struct NotificationHistory: Sendable, Hashable {
    /// Why a file is none of these.
    package struct Fault: Error, Sendable, Hashable {
        /// The first line is 1; nil where the file as a whole is at fault.
        package let line: Int?
        /// One sentence without its full stop.
        package let detail: String
    }

    /// In the order of the file, each text once; not verified.
    package let signedPayloads: [String]
    /// Whether the store had more than the last response in the file, by its own word.
    package let isPartial: Bool

    package init(_ bytes: [UInt8]) throws(Fault) {
        var found = Found()
        let start = bytes.first { !Self.isBlank($0) }
        guard let start else { throw Fault(line: nil, detail: "the file is empty") }
        // One document, however it is broken over lines, or else a line each.
        let isOneDocument = start == UInt8(ascii: "{") && (try? found.add(response: bytes)) != nil
        if !isOneDocument {
            var number = 0
            for line in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
                number += 1
                let line = Self.trimmed(line)
                if line.isEmpty { continue }
                do throws(Fault) {
                    if line[0] == UInt8(ascii: "{") {
                        try found.add(response: line)
                    } else {
                        try found.add(token: line)
                    }
                } catch {
                    throw Fault(line: number, detail: error.detail)
                }
            }
        }
        signedPayloads = found.payloads
        isPartial = found.hasMore
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let line = line.drop(while: isBlank)
        guard let last = line.lastIndex(where: { !isBlank($0) }) else { return [] }
        return Array(line[...last])
    }
}

/// What was read so far.
private struct Found {
    var payloads: [String] = []
    var hasMore = false
    private var seen: Set<String> = []

    /// A response of the store, or one item of its history.
    mutating func add(response: [UInt8]) throws(NotificationHistory.Fault) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument.parse(response)
        } catch {
            throw .init(line: nil, detail: "it is neither a signed payload nor JSON that can be read")
        }
        let read: (payloads: [String], hasMore: Bool)
        do throws(InvalidFields) {
            read = try document.readObject { body in
                body.ignoreOthers()
                if let token = body.string("signedPayload", .optional) { return ([token], false) }
                let items = body.array("notificationHistory", count: 0...Int.max) { item in
                    item.object { item in
                        item.ignoreOthers()
                        return item.string("signedPayload")
                    }
                }
                let hasMore = body.bool("hasMore", .optional) ?? false
                return items.map { ($0, hasMore) }
            }
        } catch {
            let field = error.errors.first
            throw .init(line: nil, detail: "\(field?.pointer ?? "") \(field?.detail ?? "is not acceptable")")
        }
        for payload in read.payloads { add(payload) }
        hasMore = read.hasMore
    }

    /// One signed payload: three parts that dots separate. What is in them the verifier says.
    mutating func add(token: [UInt8]) throws(NotificationHistory.Fault) {
        guard token.count(where: { $0 == UInt8(ascii: ".") }) == 2, token.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw .init(line: nil, detail: "it is neither a signed payload nor JSON that can be read") }
        add(String(decoding: token, as: UTF8.self))
    }

    private mutating func add(_ payload: String) {
        if seen.insert(payload).inserted { payloads.append(payload) }
    }
}
