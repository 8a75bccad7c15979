import Consent
import JSON

extension EventEncoding {
    /// A key's public side.
    static func key(_ key: APIKey) -> [UInt8]? {
        object { json in
            optional("id", key.id.text, &json)
            optional("role", key.role.rawValue, &json)
            optional("label", key.label, &json)
            if let limit = key.rateLimit {
                json.key("rateLimit")
                json.beginObject()
                json.key("requests")
                json.integer(limit.requests)
                json.key("seconds")
                json.integer(limit.seconds)
                json.endObject()
            }
            json.key("createdAt")
            json.integer(key.createdAt.microseconds)
            if let revokedAt = key.revokedAt {
                json.key("revokedAt")
                json.integer(revokedAt.microseconds)
            }
        }
    }
}
