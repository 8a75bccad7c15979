import AppStoreTestSupport
import Crypto
import Testing

struct ES256KeyTests {
    private static func key(_ signing: SigningKey) throws -> ES256Key? {
        var recipe = try TestChain().leaf
        recipe.key = signing
        return try #require(Certificate(der: try recipe.make())).es256Key
    }

    /// Among many signatures some have an r or s with leading zeros, which DER and the raw form write differently.
    @Test func verifiesWhatTheKeySigned() throws {
        let signing = try SigningKey(.curve("P-256"))
        let key = try #require(try Self.key(signing))
        for number in 0..<600 {
            let message = Array("message \(number)".utf8)
            let signature = try signing.sign(message)
            #expect(key.verifies(signature, of: message))
            if number < 50 { #expect(!key.verifies(signature, of: message + [0])) }
        }
    }

    @Test func digestIsSHA256() throws {
        let signing = try SigningKey(.curve("P-256"))
        let key = try #require(try Self.key(signing))
        #expect(!key.verifies(try signing.sign([1], digest: "SHA384"), of: [1]))
        #expect(key.verifies(try signing.sign([]), of: [UInt8]()))
    }

    @Test func signatureHasOneLength() throws {
        let signing = try SigningKey(.curve("P-256"))
        let key = try #require(try Self.key(signing))
        let signature = try signing.sign([1])
        for wrong in [[], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: 64)] {
            #expect(!key.verifies(wrong, of: [1]))
        }
    }

    @Test func onlyTheNamedCurveP256() throws {
        #expect(try Self.key(try SigningKey(.curve("P-384"))) == nil)
        #expect(try Self.key(try SigningKey(.rsa(bits: 2048))) == nil)
        let explicit = try SigningKey(.curve("P-256"))
        explicit.spellOutCurve()
        #expect(try Self.key(explicit) == nil)
    }
}
