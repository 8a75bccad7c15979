package import Crypto

/// Signatures of a message as the Standard Webhooks specification has them: `v1`, an HMAC-SHA-256 over id, time and body.
package enum WebhookSignature {
    /// What the header `webhook-signature` says: a signature by each key, the newest key's first, so that a receiver which
    /// knows any of them is content.
    ///
    /// - Parameters:
    ///   - id: of the message, the same over all attempts; it holds no dot.
    ///   - seconds: when the attempt is made, since the Unix epoch.
    ///   - body: the very bytes that are sent.
    ///   - keys: decoded, without what stands before them in a receiver's settings.
    package static func header(
        id: String, seconds: Int64, body: [UInt8], keys: [[UInt8]]
    ) throws(CryptoError) -> String {
        var signatures: [String] = []
        for key in keys {
            var code = try HMACSHA256(key: key)
            code.update(Array("\(id).\(seconds).".utf8))
            code.update(body)
            signatures.append("v1," + Base64.encode(try code.finish().bytes))
        }
        return signatures.joined(separator: " ")
    }
}
