import Crypto
import Testing

/// Vectors: RFC 4231.
struct HMACSHA256Tests {
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func knownAnswers(key: [UInt8], message: [UInt8], expected: String) throws {
        #expect(Hexadecimal.encode(try HMACSHA256.authenticate(message, key: key).bytes) == expected)
    }

    @Test func piecesGiveWhatTheWholeGives() throws {
        let key = Array("key".utf8)
        var code = try HMACSHA256(key: key)
        code.update(Array("one".utf8))
        code.update([])
        code.update(Array("two".utf8))
        #expect(try code.finish() == HMACSHA256.authenticate(Array("onetwo".utf8), key: key))
    }

    @Test func anotherKeyGivesAnotherCode() throws {
        let message = Array("message".utf8)
        let codes = Set(try [[], [0], [0, 0], [1]].map { try HMACSHA256.authenticate(message, key: $0) })
        // RFC 2104 pads a short key with zero bytes, so the first three keys are one.
        #expect(codes.count == 2)
    }
}
