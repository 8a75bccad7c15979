/// A place in an app's log: an event's id, a cursor and, in streams, `Last-Event-ID` are all this one string.
package struct EventPosition: Sendable, Hashable {
    package let feed: String
    /// 0 stands before the first event.
    package let seq: Int64

    package init(feed: String, seq: Int64) {
        self.feed = feed
        self.seq = seq
    }

    /// Feed, underscore, number; never a dot, which Standard Webhooks keeps for itself.
    package var text: String {
        feed + "_" + String(seq)
    }

    /// Nil unless the text has exactly that form, with the number as `text` writes it.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let separator = bytes.lastIndex(of: UInt8(ascii: "_")), separator > bytes.startIndex else { return nil }
        let digits = bytes[bytes.index(after: separator)...]
        guard (1...19).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        var seq: Int64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tens, overflow) = seq.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            if overflow || tooLarge { return nil }
            seq = sum
        }
        self.init(feed: String(text[..<separator]), seq: seq)
    }

    package static func == (left: EventPosition, right: EventPosition) -> Bool {
        left.seq == right.seq && left.feed.utf8.elementsEqual(right.feed.utf8)
    }
}
