import Crypto

/// A token to be signed for a test, every part of which can be changed before that.
package struct TestToken: Sendable {
    /// The header's JSON.
    package var header: String
    package var payload: [UInt8]
    package var key: SigningKey

    package init(x5c: [String], payload: String, key: SigningKey) {
        let list = x5c.map { "\"\($0)\"" }.joined(separator: ",")
        header = "{\"alg\":\"ES256\",\"x5c\":[\(list)]}"
        self.payload = Array(payload.utf8)
        self.key = key
    }

    /// What is signed.
    package var signed: String { Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(payload) }

    /// The compact form.
    package func text() throws -> String {
        signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }

    /// Common base64 with padding.
    package static func base64(_ bytes: [UInt8]) -> String {
        var text = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        while text.count % 4 != 0 { text.append("=") }
        return String(text)
    }
}
