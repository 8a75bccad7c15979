import AppStore
import AppStoreTestSupport
import Crypto
import Testing

/// What is wrong with a token before anybody looks at a certificate.
struct StructureTests {
    @Test func threePartsAreNeeded() throws {
        for parts in [0, 1, 2, 4, 5] {
            try Bench.expectRefusal(.tokenMalformed, "\(parts) parts") { bench in
                bench.tamper = { text in
                    let own = text.split(separator: ".").map(String.init)
                    return (0..<parts).map { own[$0 % 3] }.joined(separator: ".")
                }
            }
        }
    }

    @Test(arguments: 0..<3)
    func everyPartIsBase64URLWithoutPadding(_ part: Int) throws {
        let changes: [(String, @Sendable (String) -> String)] = [
            ("padding", { $0 + "=" }), ("blank", { $0 + " " }), ("line end", { $0 + "\n" }),
            ("the other alphabet", { "+" + $0.dropFirst() }), ("not ASCII", { "é" + $0.dropFirst() }),
        ]
        for (name, change) in changes {
            let judgement = try Self.tampered(part, change)
            #expect(judgement.refusal?.reason == .tokenMalformed, "\(name): \(judgement)")
        }
        #expect(try Self.tampered(part) { $0 }.isAccepted)
    }

    private static func tampered(_ part: Int, _ change: @Sendable @escaping (String) -> String) throws
        -> NotificationJudgement
    {
        var bench = try Bench()
        bench.tamper = { text in
            var parts = text.split(separator: ".").map(String.init)
            parts[part] = change(parts[part])
            return parts.joined(separator: ".")
        }
        return try bench.judge()
    }

    @Test func bitsLeftOverMustBeZero() throws {
        // 64 bytes make 86 characters, the last of which carries two bits: of its sixteen texts one is right.
        try Bench.expectRefusal(.tokenMalformed, "the same bytes in other characters") { bench in
            bench.tamper = { text in
                let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
                guard let last = text.last, let value = alphabet.firstIndex(of: last) else { return text }
                return String(text.dropLast()) + String(alphabet[value + 1])
            }
        }
    }

    @Test func longTokensAreRefusedUnread() throws {
        try Bench.expectRefusal(.tokenMalformed, "too long") { bench in
            bench.payload["padding"] = "\"" + String(repeating: "a", count: 260_000) + "\""
        }
        var bench = try Bench()
        bench.payload["padding"] = "\"" + String(repeating: "a", count: 150_000) + "\""
        #expect(try bench.judge().isAccepted)
    }

    @Test func headerIsStrictJSON() throws {
        let changes: [(String, @Sendable (String) -> String)] = [
            ("alg twice", { "{\"alg\":\"ES256\"," + $0.dropFirst() }),
            ("alg twice, another first", { "{\"alg\":\"none\"," + $0.dropFirst() }),
            ("byte order mark", { "\u{FEFF}" + $0 }),
            ("trailing comma", { $0.dropLast() + ",}" }),
            ("two documents", { $0 + $0 }),
            ("a list", { "[\($0)]" }),
            ("nothing", { _ in "" }),
            ("a text", { _ in "\"ES256\"" }),
        ]
        for (name, change) in changes {
            try Bench.expectRefusal(.headerMalformed, name) { bench in
                bench.edit = { $0.header = change($0.header) }
            }
        }
    }

    @Test(arguments: ["none", "HS256", "RS256", "ES384", "es256", "ES256 ", "ＥＳ256"])
    func onlyES256(_ algorithm: String) throws {
        try Bench.expectRefusal(.algorithmNotES256, algorithm) { bench in
            bench.edit = { $0.header = $0.header.replacing("\"ES256\"", with: "\"\(algorithm)\"") }
        }
    }

    @Test(arguments: ["\"alg\":null,", "\"alg\":256,", "\"alg\":[\"ES256\"],", ""])
    func algorithmIsAText(_ member: String) throws {
        try Bench.expectRefusal(.algorithmNotES256, member) { bench in
            bench.edit = { $0.header = $0.header.replacing("\"alg\":\"ES256\",", with: member) }
        }
    }

    @Test(arguments: ["[\"b64\"]", "[]", "null", "\"exp\""])
    func criticalExtensionsAreNotUnderstood(_ list: String) throws {
        try Bench.expectRefusal(.headerCritical, list) { bench in
            bench.edit = { $0.header = "{\"crit\":\(list)," + $0.header.dropFirst() }
        }
    }

    @Test func otherHeaderMembersAreNobodysBusiness() throws {
        var bench = try Bench()
        bench.edit = {
            $0.header = "{\"typ\":\"JWT\",\"kid\":\"1\",\"jku\":\"https://example.com\"," + $0.header.dropFirst()
        }
        #expect(try bench.judge().isAccepted)
    }

    @Test(arguments: [0, 1, 2, 4])
    func exactlyThreeCertificates(_ count: Int) throws {
        let x5c = try Bench.standard.get().x5c()
        try Bench.expectRefusal(.chainLength, "\(count) certificates") { bench in
            bench.edit = { token in
                token.header = TestToken(x5c: (0..<count).map { x5c[min($0, 2)] }, payload: "", key: token.key).header
            }
        }
    }

    @Test(arguments: ["", ",\"x5c\":null", ",\"x5c\":\"MII\"", ",\"x5c\":{}", ",\"x5c\":[1,2,3]"])
    func certificatesAreAListOfTexts(_ member: String) throws {
        try Bench.expectRefusal(.chainLength, member) { bench in
            bench.edit = { $0.header = "{\"alg\":\"ES256\"\(member)}" }
        }
    }

    @Test(arguments: 0..<2)
    func certificatesCanBeRead(_ place: Int) throws {
        let x5c = try Bench.standard.get().x5c()
        let whole = try #require(Base64.decode(x5c[place]))
        let broken: [(String, String)] = [
            ("not base64", "*" + x5c[place].dropFirst()),
            ("base64url", TestToken.base64([0xFB, 0xFF, 0xFE]).replacing("+", with: "-").replacing("/", with: "_")),
            ("a line end", x5c[place] + "\\n"),
            ("nothing", ""),
            ("not a certificate", TestToken.base64([0x30, 0x03, 0x02, 0x01, 0x00])),
            ("cut off", TestToken.base64(Array(whole.dropLast(1)))),
            ("a byte too many", TestToken.base64(whole + [0])),
            ("two in one", TestToken.base64(whole + whole)),
        ]
        for (name, entry) in broken {
            try Bench.expectRefusal(.certificateMalformed, name) { bench in
                bench.edit = { token in
                    var list = x5c
                    list[place] = entry
                    token.header = TestToken(x5c: list, payload: "", key: token.key).header
                }
            }
        }
    }

    @Test(arguments: [0, 63, 65, 96])
    func signatureHasSixtyFourBytes(_ count: Int) throws {
        try Bench.expectRefusal(.signatureMalformed, "\(count) bytes") { bench in
            bench.tamper = { text in
                let signature = Array((Base64URL.decode(String(text.split(separator: ".")[2])) ?? []).prefix(count))
                let bytes = signature + [UInt8](repeating: 0, count: max(0, count - signature.count))
                return text.split(separator: ".").prefix(2).joined(separator: ".") + "." + Base64URL.encode(bytes)
            }
        }
    }
}
