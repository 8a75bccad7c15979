/// A key of the operator's, under which secrets are stored: 32 bytes, given as base64.
package struct SecretKey: Sendable {
    /// How many bytes a key has.
    package static let length = 32
    /// How many bytes name one.
    static let nameLength = 8

    let bytes: [UInt8]
    /// Tells keys apart and gives nothing away: the first 8 bytes of an HMAC under the key itself.
    package let name: [UInt8]

    private init(_ bytes: [UInt8]) throws(CryptoError) {
        self.bytes = bytes
        let code = try HMACSHA256.authenticate(Array("assent secret key name".utf8), key: bytes)
        name = Array(code.bytes.prefix(Self.nameLength))
    }

    /// The key that a text stands for: 32 bytes in base64 with padding; nil for anything else.
    package init?(base64: String) {
        guard let bytes = Base64.decode(base64), bytes.count == Self.length, let key = try? SecretKey(bytes) else {
            return nil
        }
        self = key
    }

    /// The keys of a text that has them with commas between; nil unless each is one.
    package static func list(_ text: String) -> [SecretKey]? {
        var keys: [SecretKey] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let key = SecretKey(base64: String(part)) else { return nil }
            keys.append(key)
        }
        return keys
    }

    /// The text of a fresh key.
    package static func random() throws(CryptoError) -> String {
        Base64.encode(try SecureRandom.bytes(length))
    }
}
