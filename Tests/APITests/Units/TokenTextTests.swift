import Consent
import Crypto
import HTTPServer
import JSON
import Store
import Testing

@testable import API

/// What a token must be to be believed: altered, forged or spelled otherwise it is refused.
struct TokenTextTests {
    /// A service that has made a token, and what it is made of.
    private struct Made {
        let service: FakeService
        let text: String

        var parts: [String] { text.split(separator: ".").map(String.init) }
        var header: String { Self.text(parts[0]) }
        var claims: String { Self.text(parts[1]) }

        init(
            _ body: String = #"{"person":"p-1","actions":["question.read"]}"#, about person: Person? = nil
        ) async throws {
            service = try FakeService()
            if let person { service.store.content.withLock { $0.persons[person.id] = person } }
            let app = App(
                id: AppID(trusted: "reader"), settings: AppSettings(name: "R"), revision: 1,
                createdAt: TestService.wall(), updatedAt: TestService.wall())
            service.store.content.withLock { $0.apps[app.id] = app }
            let reply = await service.respond(
                .post, "/v1/tokens", [HeaderField("Content-Type", "application/json")], body: body)
            guard let text = reply.json.token.string else { throw TestFailure("\(reply.status) \(reply.json)") }
            self.text = text
        }

        static func text(_ part: String) -> String {
            String(decoding: Base64URL.decode(part) ?? [], as: UTF8.self)
        }

        func status(_ token: String) async -> Int { await service.respond(.get, "/v1/questions", key: token).status }

        /// Signed by the very key that signs tokens: only its form can be wrong.
        func signed(_ header: String, _ claims: String) async throws -> String {
            let signer = try await service.application.signingKeys.signing()
            let head = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
            return head + "." + Base64URL.encode(try signer.key.sign(Array(head.utf8)))
        }
    }

    @Test func isTakenAsItWasMade() async throws {
        let made = try await Made()
        #expect(await made.status(made.text) == 200)
        #expect(try await made.status(made.signed(made.header, made.claims)) == 200)
        #expect(made.text.utf8.count < TokenText.longest / 2)
        let longest = String(repeating: #"\""#, count: 128)
        let actions = TokenSubject.Kind.person.actions.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let long = try await Made(#"{"person":"\#(longest)","actions":[\#(actions)]}"#)
        #expect(await long.status(long.text) == 200)
    }

    /// A stream is opened, and then the database is gone before its answer is given: nobody is left to close it.
    @Test func noStreamIsLeftBehindByARefusal() async throws {
        let now = TestService.wall()
        let person = Person(
            id: "p-1", ref: Identifier(high: 1, low: 2), facts: PersonFacts(), revision: 1, createdAt: now,
            updatedAt: now, everLinked: false)
        let made = try await Made(#"{"person":"p-1","actions":["events.read"]}"#, about: person)
        for reads in 0..<5 {
            made.service.store.content.withLock { content in
                content.personReadsLeft = reads
                content.failure = nil
            }
            let response = await made.service.respond(
                .get, "/v1/events", [HeaderField("Accept", "text/event-stream")], key: made.text)
            #expect(
                made.service.application.feed.statistics.streams == (response.stream == nil ? 0 : 1),
                "after \(reads) reads: \(response.status)")
            if response.stream != nil { return }
        }
        Issue.record("no stream was opened at all")
    }

    @Test func noCharacterCanBeAltered() async throws {
        let made = try await Made()
        let characters = Array(made.text.utf8)
        for place in characters.indices {
            for other in [UInt8(ascii: "A"), UInt8(ascii: "b"), UInt8(ascii: "."), UInt8(ascii: "=")] {
                guard characters[place] != other else { continue }
                var altered = characters
                altered[place] = other
                #expect(await made.status(String(decoding: altered, as: UTF8.self)) == 401, "at \(place)")
            }
        }
        for text in [String(made.text.dropLast()), made.text + "A", made.text + ".", "." + made.text, made.text + "="] {
            #expect(await made.status(text) == 401)
        }
    }

    @Test func onlyES256OfAKnownKey() async throws {
        let made = try await Made()
        let kid = try #require(TokenText(Array(made.text.utf8)[...])).keyID.text
        let headers = [
            #"{"alg":"none","kid":"\#(kid)","typ":"assent+jwt"}"#,
            #"{"alg":"HS256","kid":"\#(kid)","typ":"assent+jwt"}"#,
            #"{"alg":"es256","kid":"\#(kid)","typ":"assent+jwt"}"#,
            #"{"alg":"ES384","kid":"\#(kid)","typ":"assent+jwt"}"#,
            #"{"alg":"ES256","kid":"\#(kid.uppercased())","typ":"assent+jwt"}"#,
            #"{"alg":"ES256","kid":"\#(kid)","typ":"JWT"}"#, #"{"alg":"ES256","kid":"\#(kid)"}"#,
            #"{"alg":"ES256","typ":"assent+jwt"}"#, #"{"kid":"\#(kid)","alg":"ES256","typ":"assent+jwt"}"#,
            #"{"alg":"ES256","alg":"none","kid":"\#(kid)","typ":"assent+jwt"}"#,
            #"{"alg":"ES256","kid":"\#(kid)","typ":"assent+jwt","crit":["x"]}"#,
            #"{"alg":"ES256","kid":"\#(kid)","typ":"assent+jwt","jwk":{}}"#,
            #"{ "alg":"ES256","kid":"\#(kid)","typ":"assent+jwt"}"#, #"{"alg":"ES256","kid":"","typ":"assent+jwt"}"#,
            #"{"alg":"ES256","kid":"01930000-0000-7000-8000-000000000000","typ":"assent+jwt"}"#, "{}", "",
        ]
        for header in headers {
            #expect(try await made.status(made.signed(header, made.claims)) == 401, "\(header)")
        }
        // No signature at all.
        let none = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + made.parts[1] + "."
        #expect(await made.status(none) == 401)
        // The public key as the secret of a symmetric algorithm.
        let point = try #require(made.service.store.content.withLock { $0.signingKeys.keys.last?.publicPoint })
        let head = Base64URL.encode(Array(headers[1].utf8)) + "." + made.parts[1]
        let code = try HMACSHA256.authenticate(Array(head.utf8), key: point).bytes
        #expect(await made.status(head + "." + Base64URL.encode(code)) == 401)
        #expect(await made.status(head + "." + Base64URL.encode(code + code)) == 401)
        // Somebody else's key under our key's name.
        let stranger = try ES256PrivateKey.generate()
        let signed = made.parts[0] + "." + made.parts[1]
        let forged = signed + "." + Base64URL.encode(try stranger.sign(Array(signed.utf8)))
        #expect(await made.status(forged) == 401)
        #expect(await made.status(signed + "." + Base64URL.encode([UInt8](repeating: 0, count: 64))) == 401)
    }

    @Test func everyClaimCounts() async throws {
        let made = try await Made()
        func claims(_ name: String, _ value: String) -> String {
            made.claims.replacing(name, with: value)
        }
        let altered = [
            claims(#""iss":"assent""#, #""iss":"other""#), claims(#""iss":"assent","#, ""),
            claims(#""aud":"reader""#, #""aud":"writer""#), claims(#""aud":"reader""#, #""aud":["reader"]"#),
            claims(#""aud":"reader","#, ""), claims(#""sub":"p-1""#, #""sub":"""#), claims(#""sub":"p-1","#, ""),
            claims(#""kind":"person""#, #""kind":"admin""#), claims(#""kind":"person","#, ""),
            claims(#""actions":["question.read"]"#, #""actions":["*"]"#),
            claims(#""actions":["question.read"]"#, #""actions":[]"#),
            claims(#""actions":["question.read"]"#, #""actions":["question.read","question.read"]"#),
            claims(#""iat":"#, #""iat":1,"iat":"#), claims(#""exp":"#, #""exp":99999999999,"exp":"#),
            claims(#""exp":"#, #""exp":0.5,"xxx":"#), claims(#"{"iss""#, #"{"admin":true,"iss""#),
            claims(#"{"iss""#, #"{ "iss""#), claims("}", "} "), claims(#""sub""#, #""sub":"p-2","sub""#),
            claims(#""kind":"person""#, #""kind":"guardian","ref":"01930000-0000-7000-8000-000000000000""#),
            claims(#""kind":"person""#, #""kind":"person","ref":"x""#), "{}", "[]", "", "null",
        ]
        for text in altered {
            guard text != made.claims else { continue }
            #expect(try await made.status(made.signed(made.header, text)) == 401, "\(text)")
        }
        // What is signed and well-formed counts: another subject is somebody else's token.
        #expect(try await made.status(made.signed(made.header, claims(#""sub":"p-1""#, #""sub":"p-2""#))) == 200)
        // A key that is not in force, and one that nobody knows.
        let unknown = try #require(made.claims.firstMatch(of: /"key":"([^"]*)"/)).output.1
        let other = made.claims.replacing(unknown, with: "01930000-0000-7000-8000-000000000000")
        #expect(try await made.status(made.signed(made.header, other)) == 401)
    }

    @Test func theDatabasesClockEndsIt() async throws {
        let made = try await Made(#"{"person":"p-1","actions":["question.read"],"expiresInSeconds":2}"#)
        made.service.clock.advance(by: .milliseconds(1_400))
        #expect(await made.status(made.text) == 200)
        // What is read next tells the time too; the host's own clock is asked by nobody.
        made.service.store.content.withLock { content in
            content.signingKeys = StoredSigningKeys(
                keys: content.signingKeys.keys, now: content.signingKeys.now.adding(seconds: 2))
        }
        made.service.clock.advance(by: .milliseconds(600))
        #expect(await made.status(made.text) == 401)
    }

    @Test func aTextTooLongIsNotLookedAt() {
        #expect(TokenText(ArraySlice(repeating: UInt8(ascii: "a"), count: TokenText.longest + 1)) == nil)
    }

    @Test func provenTokensAreBounded() throws {
        var proven = ProvenTokens()
        let grant = TokenGrant(
            id: Identifier(high: 0, low: 1), subject: .guardian(CallerID(trusted: "g")), actions: [.questionRead],
            issuedAt: 0, expiresAt: 10)
        let claims = TokenClaims(app: AppID(trusted: "reader"), key: Identifier(high: 0, low: 2), grant: grant)
        for number in 0..<(ProvenTokens.capacity + 10) {
            proven.put(claims, for: try SHA256.hash(utf8: "\(number)"), at: 5)
        }
        #expect(proven.count <= ProvenTokens.capacity)
    }
}
