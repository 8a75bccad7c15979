import Consent
import JSON

/// What became of webhook endpoints, as events keep it.
extension EventEncoding {
    static func webhookDisabled(_ disabling: WebhookDisabling) -> [UInt8]? {
        object { json in
            optional("id", disabling.endpoint.text, &json)
            optional("reason", disabling.reason.rawValue, &json)
            if let failingSince = disabling.failingSince {
                json.key("failingSince")
                json.integer(failingSince.microseconds)
            }
        }
    }
}
