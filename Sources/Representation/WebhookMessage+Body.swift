package import Consent
import JSON

extension WebhookMessage {
    /// What is posted, and signed, of it: the same bytes at every attempt.
    package var body: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.webhookMessage(self)
        return json.finish()
    }
}
