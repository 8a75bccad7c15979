import Consent
import Crypto
import JSON

/// A browser's token as text: a JSON Web Token (RFC 7519) in its compact form, signed by ES256.
///
/// Only this service makes and reads them, so everything that need not vary does not: the header's bytes are known but for the
/// key's id, and the claims are exactly those that are written here. Nothing of it is believed before the signature is verified.
struct TokenText: Sendable {
    /// The longest that is read; the longest that is made, with an id of 128 bytes, has about half of it.
    static let longest = 2_048

    private static let headerStart = Array(#"{"alg":"ES256","kid":""#.utf8)
    private static let headerEnd = Array(#"","typ":"assent+jwt"}"#.utf8)
    static let issuer = "assent"

    /// The key that is said to have signed it.
    let keyID: Identifier
    /// Header and claims with the dot between them: what is signed.
    let signed: [UInt8]
    private let claims: [UInt8]
    private let signature: [UInt8]

    /// Takes the three parts apart; nil for anything that this service would not have written.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= Self.longest else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let id = Self.keyID(header),
            let claims = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]),
            signature.count == ES256Key.signatureLength
        else { return nil }
        keyID = id
        signed = Array(text[..<parts[1].endIndex])
        self.claims = claims
        self.signature = signature
    }

    /// The header says ES256 and a key, in the form that is written here, and nothing else; so there is nothing to choose from.
    private static func keyID(_ header: [UInt8]) -> Identifier? {
        guard header.count == headerStart.count + 36 + headerEnd.count, header.starts(with: headerStart),
            header.suffix(headerEnd.count).elementsEqual(headerEnd)
        else { return nil }
        let text = header[headerStart.count..<(headerStart.count + 36)]
        // One text for each id: capitals would be a second.
        guard let id = Identifier(String(decoding: text, as: UTF8.self)), id.text.utf8.elementsEqual(text) else {
            return nil
        }
        return id
    }

    /// What the token says, once the key has proved it; nil where it does not.
    func proven(by key: ES256Key) -> TokenClaims? {
        key.verifies(signature, of: signed) ? TokenClaims(claims) : nil
    }

    /// The token of these claims.
    static func write(_ claims: TokenClaims, by id: Identifier, _ key: ES256PrivateKey) throws(CryptoError) -> String {
        let header = headerStart + Array(id.text.utf8) + headerEnd
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(claims.json)
        return signed + "." + Base64URL.encode(try key.sign(Array(signed.utf8)))
    }
}

/// What a token says: what it allows, in which app, and by which key's word.
struct TokenClaims: Sendable, Hashable {
    let app: AppID
    /// The key that made it: a token ends with its key.
    let key: Identifier
    let grant: TokenGrant

    init(app: AppID, key: Identifier, grant: TokenGrant) {
        self.app = app
        self.key = key
        self.grant = grant
    }

    /// Reads what `json` wrote; nil for anything else, such as a member more or twice.
    init?(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument.parse(bytes, maximumDepth: 2),
            let claims = try? document.readObject({ TokenClaims($0) }), claims.json == bytes
        else { return nil }
        self = claims
    }

    private init?(_ claims: ObjectReader) {
        let issuer = claims.string("iss")
        let app = claims.string("aud").flatMap { AppID($0) }
        let id = claims.string("sub").flatMap { CallerID($0) }
        let kind = claims.enumeration("kind", of: TokenSubject.Kind.self)
        let ref = claims.string("ref", .optional).map { Identifier($0) }
        let key = claims.string("key").flatMap { Identifier($0) }
        let actions = claims.array("actions", count: 1...TokenAction.allCases.count) { element in
            element.string().flatMap { TokenAction(rawValue: $0) }
        }
        let issuedAt = claims.integer("iat", in: 0...Int.max)
        let expiresAt = claims.integer("exp", in: 0...Int.max)
        let token = claims.string("jti").flatMap { Identifier($0) }
        guard issuer == TokenText.issuer, let app, let id, let kind, let key, let actions, let issuedAt, let expiresAt,
            let token
        else { return nil }
        let subject: TokenSubject
        switch (kind, ref) {
        case (.person, nil): subject = .person(id, ref: nil)
        case (.person, .some(.some(let ref))): subject = .person(id, ref: ref)
        case (.guardian, nil): subject = .guardian(id)
        case (.person, .some(nil)), (.guardian, .some): return nil
        }
        self.init(
            app: app, key: key,
            grant: TokenGrant(
                id: token, subject: subject, actions: Set(actions), issuedAt: Int64(issuedAt),
                expiresAt: Int64(expiresAt)))
    }

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.key("iss")
        writer.string(TokenText.issuer)
        writer.key("aud")
        writer.string(app.text)
        writer.key("sub")
        writer.string(grant.subject.id.text)
        writer.key("kind")
        writer.string(grant.subject.kind.rawValue)
        if case .person(_, .some(let ref)) = grant.subject {
            writer.key("ref")
            writer.string(ref.text)
        }
        writer.key("key")
        writer.string(key.text)
        writer.key("actions")
        writer.beginArray()
        for action in TokenAction.allCases where grant.actions.contains(action) { writer.string(action.rawValue) }
        writer.endArray()
        writer.key("iat")
        writer.integer(Int(grant.issuedAt))
        writer.key("exp")
        writer.integer(Int(grant.expiresAt))
        writer.key("jti")
        writer.string(grant.id.text)
        writer.endObject()
        return writer.finish()
    }
}
