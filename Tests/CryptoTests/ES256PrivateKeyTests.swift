import Crypto
import Testing

/// Keys that sign: what one signs its public point verifies, and nothing else.
struct ES256PrivateKeyTests {
    @Test func signsWhatItsPublicKeyVerifies() throws {
        let key = try ES256PrivateKey.generate()
        let point = try key.publicPoint()
        let publicKey = try #require(ES256Key(point: point))
        let message = Array("a message".utf8)
        // Numbers that are short in DER come once in a few hundred signatures.
        for round in 0..<600 {
            let signed = message + [UInt8(round % 256)]
            let signature = try key.sign(signed)
            #expect(signature.count == 64)
            #expect(publicKey.verifies(signature, of: signed))
        }
        let signature = try key.sign(message)
        #expect(!publicKey.verifies(signature, of: message + [0]))
        for place in signature.indices {
            var altered = signature
            altered[place] ^= 1
            #expect(!publicKey.verifies(altered, of: message))
        }
        let other = try #require(ES256Key(point: try ES256PrivateKey.generate().publicPoint()))
        #expect(!other.verifies(signature, of: message))
    }

    @Test func isKeptAsText() throws {
        let key = try ES256PrivateKey.generate()
        let der = try key.der()
        let again = try #require(ES256PrivateKey(der: der))
        #expect(try again.publicPoint() == key.publicPoint())
        #expect(ES256PrivateKey(der: Array(der.dropLast())) == nil)
        #expect(ES256PrivateKey(der: []) == nil)
    }

    @Test func aPointLiesOnTheCurve() throws {
        let point = try ES256PrivateKey.generate().publicPoint()
        #expect(ES256Key(point: Array(point.dropLast())) == nil)
        #expect(ES256Key(point: [2] + point.dropFirst()) == nil)
        var beside = point
        beside[64] ^= 1
        #expect(ES256Key(point: beside) == nil)
        #expect(ES256Key(point: [4] + [UInt8](repeating: 0, count: 64)) == nil)
    }
}
