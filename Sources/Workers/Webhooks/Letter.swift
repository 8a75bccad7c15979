package import Consent

/// One request to a receiver: what is posted where.
package struct Letter: Sendable {
    package let url: WebhookURL
    /// Sent beside the content's type; names and values of visible ASCII.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(to url: WebhookURL, headers: [(name: String, value: String)], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }
}
