import Consent
import Crypto
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    /// Makes a token for a browser. Nothing is stored, so a repeat under the same idempotency key makes another.
    func createToken(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        try Conditions.refuse(call.request.headers)
        _ = try IdempotencyHeader.key(of: call.request, caller: call.caller)
        let posted: PostedToken
        do { posted = try PostedToken(body: call.request.body) } catch { throw Problem(error) }
        guard try await read({ () async throws(StoreFailure) in try await store.app(call.app) }) != nil else {
            throw Problem(.appNotFound)
        }
        let subject = try await subject(posted, call.app)
        let signer = try await signingKeys.signing()
        let issuedAt = signer.at.microseconds / 1_000_000
        let text: String
        let grant: TokenGrant
        do throws(CryptoError) {
            grant = TokenGrant(
                id: Identifier(createdAt: signer.at, random: try randomness.word()), subject: subject,
                actions: posted.actions, issuedAt: issuedAt, expiresAt: issuedAt + Int64(posted.expiresInSeconds))
            let claims = TokenClaims(app: call.app, key: call.caller.key, grant: grant)
            text = try TokenText.write(claims, by: signer.id, signer.key)
        } catch {
            throw Problem(.internalError)
        }
        return .json(201) { writer in
            writer.beginObject()
            writer.key("token")
            writer.string(text)
            writer.key("expiresAt")
            writer.timestamp(grant.expiresAt * 1_000_000)
            writer.endObject()
        }
    }

    /// Whom the token is to speak for: a person as they are now, so that it is good for nobody who has the id later.
    private func subject(_ posted: PostedToken, _ app: AppID) async throws(Problem) -> TokenSubject {
        switch posted.kind {
        case .guardian: return .guardian(posted.subject)
        case .person:
            let person = try await read { () async throws(StoreFailure) in try await store.person(app, posted.subject) }
            return .person(posted.subject, ref: person?.ref)
        }
    }

    /// The public halves of the keys that sign tokens, as a JSON Web Key Set (RFC 7517).
    func showSigningKeys(_ request: Request) async -> Response {
        do throws(Problem) {
            let keys = try await signingKeys.published()
            var response = Response.json(200, capacity: 256 * (keys.count + 1)) { writer in
                writer.beginObject()
                writer.key("keys")
                writer.beginArray()
                for key in keys { writer.webKey(key) }
                writer.endArray()
                writer.endObject()
            }
            response.headers.removeAll { $0.name == "Cache-Control" || $0.name == "Content-Type" }
            response.headers += [
                HeaderField("Content-Type", "application/jwk-set+json"),
                HeaderField("Cache-Control", "public, max-age=\(SigningSchedule.cacheSeconds)"),
            ]
            return response
        } catch {
            return error.response(requestID: request.id)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func webKey(_ stored: StoredSigningKey) {
        let point = stored.publicPoint
        let members = [
            ("kty", "EC"), ("crv", "P-256"), ("x", Base64URL.encode(Array(point[1..<33]))),
            ("y", Base64URL.encode(Array(point[33..<65]))), ("kid", stored.id.text), ("alg", "ES256"), ("use", "sig"),
        ]
        beginObject()
        for (name, value) in members {
            switch name {
            case "kty": key("kty")
            case "crv": key("crv")
            case "x": key("x")
            case "y": key("y")
            case "kid": key("kid")
            case "alg": key("alg")
            default: key("use")
            }
            string(value)
        }
        endObject()
    }
}
