package import Consent
package import JSON

extension JSONWriter {
    /// Until when a ticket can be used; `text`, the ticket itself, and where the log stood before it was made are shown once, in the
    /// reply that made it.
    package mutating func streamTicket(_ text: String?, after cursor: EventPosition?, expiresAt: Instant) {
        beginObject()
        if let text {
            key("ticket")
            string(text)
        }
        if let cursor {
            key("cursor")
            string(cursor.text)
        }
        key("expiresAt")
        moment(expiresAt)
        endObject()
    }
}
