package import Consent
import Crypto

/// What it takes to register a webhook endpoint: where its messages may go, and how its secret is kept.
package struct WebhookDesk: Sendable {
    /// Seals a secret for an endpoint of an app.
    package typealias Sealing = @Sendable (_ secret: [UInt8], AppID, _ endpoint: Identifier) throws -> [UInt8]

    /// A new secret: 32 random bytes, and how a receiver is told them.
    struct Secret {
        let bytes: [UInt8]
        let text: String

        init() throws(CryptoError) {
            bytes = try SecureRandom.bytes(32)
            text = "whsec_" + Base64.encode(bytes)
        }
    }

    let policy: AddressPolicy
    /// Nil where the operator has named no secret key: then no endpoint can be made, and no secret rotated.
    let seal: Sealing?
    private let resolve: @Sendable (WebhookURL) async -> [IPAddress]

    /// - Parameter resolve: the addresses that a URL's host stands for now; none where they cannot be had.
    package init(
        policy: AddressPolicy = AddressPolicy(), seal: Sealing? = nil,
        resolve: @escaping @Sendable (WebhookURL) async -> [IPAddress] = { _ in [] }
    ) {
        self.policy = policy
        self.seal = seal
        self.resolve = resolve
    }

    /// Why nothing may be sent to a URL as its host's name stands now. A name without an address may have one later, which is
    /// judged at each attempt.
    func refusal(of url: WebhookURL) async -> AddressRefusal? {
        policy.refusal(of: url, resolved: await resolve(url))
    }
}
