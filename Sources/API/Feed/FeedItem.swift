import Consent
import JSON
import Representation
import Store

/// One event as streams send it, rendered once for all of them, with what they are chosen by.
struct FeedItem: Sendable {
    let seq: Int64
    let type: EventType
    let personRef: Identifier?
    let question: Identifier?
    /// Whose link it is about, and whether that began or ended.
    let link: (guardian: CallerID, isLinked: Bool)?
    /// `id`, `event` and `data` on a line each, and the empty line that ends them.
    let bytes: [UInt8]

    init(_ event: EventRecord) {
        seq = event.seq
        type = event.type
        personRef = event.personRef
        if case .question(let question, answer: _) = event.data { self.question = question.id } else { question = nil }
        switch event.data {
        case .linked(let guardian): link = (guardian, true)
        case .unlinked(let guardian, voided: _): link = (guardian, false)
        default: link = nil
        }
        var writer = JSONWriter(capacity: 1_024)
        writer.event(event)
        // No JSON that is written here holds a raw line break, so it stands on one line.
        bytes = Self.block(id: EventPosition(feed: event.feed, seq: event.seq), event.type.rawValue, writer.finish())
    }

    /// Tells a reader that it missed events, or may have: it must read anew what it knows. The stream goes on after `position`.
    static func reset(to position: EventPosition) -> [UInt8] {
        block(id: position, "reset", Array(("{\"cursor\":\"" + position.text + "\"}").utf8))
    }

    /// How long a browser waits before it comes again.
    static let greeting = Array("retry: 2000\n\n".utf8)
    /// A comment, which no reader hears of: it keeps proxies from closing and shows who is gone.
    static let heartbeat = Array(": \n\n".utf8)

    private static func block(id: EventPosition, _ event: String, _ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 128)
        bytes += "id: ".utf8
        bytes += id.text.utf8
        bytes += "\nevent: ".utf8
        bytes += event.utf8
        bytes += "\ndata: ".utf8
        bytes += data
        bytes += "\n\n".utf8
        return bytes
    }
}
