import Consent
import Crypto

/// A ticket for a stream as its holder writes it in an address: `ticket_<app>_<secret>`, the secret 32 random bytes in base64url
/// without padding. What is hashed and stored is the secret as written.
struct TicketText: Sendable {
    private static let prefix = "ticket_"

    let app: AppID
    let text: String
    private let secret: String

    /// A fresh one.
    init(app: AppID) throws(CryptoError) {
        self.app = app
        secret = Base64URL.encode(try SecureRandom.bytes(32))
        text = Self.prefix + app.text + "_" + secret
    }

    /// Nil unless the text has the form above; says nothing about whether there is such a ticket.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let secretStart = bytes.count - KeyText.secretLength
        guard bytes.starts(with: Self.prefix.utf8), secretStart > Self.prefix.utf8.count,
            bytes[secretStart - 1] == UInt8(ascii: "_"),
            let app = AppID(String(decoding: bytes[Self.prefix.utf8.count..<(secretStart - 1)], as: UTF8.self))
        else { return nil }
        self.app = app
        self.text = text
        secret = String(decoding: bytes[secretStart...], as: UTF8.self)
    }

    /// What is kept of it.
    func hash() throws(CryptoError) -> [UInt8] { try SHA256.hash(utf8: secret).bytes }
}
