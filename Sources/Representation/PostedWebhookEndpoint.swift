package import Consent
import JSON

/// The body of `POST /v1/webhook-endpoints` and of a PUT of one: a missing member is its default.
package struct PostedWebhookEndpoint: Sendable, Equatable {
    package let settings: WebhookSettings
    /// What `settings.url` says.
    package let url: WebhookURL
    package let status: WebhookEndpoint.Status

    /// - Parameter policy: which addresses may be sent to; what a host's name stands for is not asked here.
    package init(body: [UInt8], policy: AddressPolicy) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let text = body.string("url") { Self.complaint($0, policy) }
            let types = body.array("types", .optional, count: 1...50) { type in
                type.string(
                    mustBe:
                        "must be a type of event, such as \"question.approved\", a family, such as \"question.*\", or \"*\""
                ) { EventPattern($0) }
            }
            let description = body.string("description", .optional, bytes: 0...1_000)
            let status = body.enumeration("status", .optional, of: WebhookEndpoint.Status.self)
            guard let text, let url = try? WebhookURL(text) else { return nil }
            let settings = WebhookSettings(
                url: text, types: types.map(Self.unique) ?? [.all], description: description ?? "")
            return PostedWebhookEndpoint(settings: settings, url: url, status: status ?? .enabled)
        }
    }

    private init(settings: WebhookSettings, url: WebhookURL, status: WebhookEndpoint.Status) {
        self.settings = settings
        self.url = url
        self.status = status
    }

    private static func complaint(_ text: String, _ policy: AddressPolicy) -> String? {
        do throws(WebhookURLFault) {
            return try policy.refusal(of: WebhookURL(text))?.description
        } catch {
            return error.description
        }
    }

    private static func unique(_ patterns: [EventPattern]) -> [EventPattern] {
        patterns.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
