import Crypto
import Testing

struct DigestTests {
    @Test func takesExactly32Bytes() throws {
        #expect(Digest([UInt8](repeating: 1, count: 31)) == nil)
        #expect(Digest([UInt8](repeating: 1, count: 33)) == nil)
        #expect(Digest([]) == nil)
        let bytes = (0..<32).map { UInt8($0) }
        #expect(try #require(Digest(bytes)).bytes == bytes)
    }

    @Test func everyBitCounts() throws {
        let bytes = (0..<32).map { UInt8($0) }
        let digest = try #require(Digest(bytes))
        #expect(digest.matches(digest))
        for bit in 0..<256 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let other = try #require(Digest(changed))
            #expect(!digest.matches(other))
            #expect(digest != other)
        }
    }

    @Test func comparesSecretsOfAnyLength() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.equal([1, 2, 3], [0, 2, 3]))
        #expect(!ConstantTime.equal([1, 2, 3], [1, 2]))
        #expect(!ConstantTime.equal([], [0]))
    }
}
