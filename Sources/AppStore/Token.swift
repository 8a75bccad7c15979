import Crypto

/// A signed token taken apart: well-formed, and nothing about it believed yet.
struct Token: Sendable {
    /// A longer text is refused unread; the store's are about 10 KiB.
    static let longest = 256 * 1024

    /// The first two parts and the dot between them: what is signed.
    let signed: ArraySlice<UInt8>
    let header: TokenHeader
    let payload: [UInt8]
    /// Exactly 64 bytes.
    let signature: [UInt8]

    /// Takes the compact form of RFC 7515 §7.1: three base64url parts without padding, and dots between them.
    init(_ text: String) throws(TokenRefusal) {
        guard text.utf8.count <= Self.longest else {
            throw TokenRefusal(.tokenMalformed, "The token is longer than \(Self.longest / 1024) KiB.")
        }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw TokenRefusal(
                .tokenMalformed, "A token has three parts with dots between them; this has \(parts.count).")
        }
        let decoded = parts.map { Base64URL.decode($0) }
        guard let header = decoded[0], let payload = decoded[1], let signature = decoded[2] else {
            let broken = decoded.firstIndex { $0 == nil }.map { ["header", "payload", "signature"][$0] } ?? "token"
            throw TokenRefusal(.tokenMalformed, "The \(broken) is not base64url without padding.")
        }
        self.header = try TokenHeader(header)
        guard signature.count == ES256Key.signatureLength else {
            throw TokenRefusal(
                .signatureMalformed,
                "An ES256 signature has \(ES256Key.signatureLength) bytes; this has \(signature.count).")
        }
        self.signed = bytes[..<parts[1].endIndex]
        self.payload = payload
        self.signature = signature
    }
}
