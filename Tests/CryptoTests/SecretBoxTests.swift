import Crypto
import Testing

/// Sealing under the operator's keys: what was altered, moved or sealed under another key does not open.
struct SecretBoxTests {
    private static let first = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let second = "//////////////////////////////////////////8="
    private static let context = SecretBox.Context(purpose: "signing-key", app: "reader", id: "1")

    private static func box(_ texts: String...) throws -> SecretBox {
        let keys = try #require(SecretKey.list(texts.joined(separator: ",")))
        return try #require(SecretBox(keys))
    }

    @Test(arguments: [0, 1, 16, 31, 32, 1_000])
    func opensWhatItSealed(length: Int) throws {
        let box = try Self.box(Self.first)
        let secret = try SecureRandom.bytes(length)
        let sealed = try box.seal(secret, for: Self.context)
        #expect(sealed.count == length + 37)
        #expect(try box.open(sealed, for: Self.context) == secret)
        #expect(try box.seal(secret, for: Self.context) != sealed, "a nonce is used once")
    }

    @Test func noBitCanBeTurned() throws {
        let box = try Self.box(Self.first)
        let sealed = try box.seal(Array("a secret".utf8), for: Self.context)
        for place in sealed.indices {
            for bit in 0..<8 {
                var altered = sealed
                altered[place] ^= 1 << UInt8(bit)
                let fault: SecretBox.Fault = place == 0 ? .unreadable : place < 9 ? .unknownKey : .altered
                #expect(throws: fault) { try box.open(altered, for: Self.context) }
            }
        }
    }

    @Test func noByteCanBeMissing() throws {
        let box = try Self.box(Self.first)
        let sealed = try box.seal(Array("a secret".utf8), for: Self.context)
        for length in sealed.indices {
            #expect(throws: length < 37 ? .unreadable : SecretBox.Fault.altered) {
                try box.open(Array(sealed.prefix(length)), for: Self.context)
            }
        }
        #expect(throws: SecretBox.Fault.altered) { try box.open(sealed + [0], for: Self.context) }
    }

    @Test(arguments: [
        SecretBox.Context(purpose: "webhook", app: "reader", id: "1"),
        SecretBox.Context(purpose: "signing-key", app: "other", id: "1"),
        SecretBox.Context(purpose: "signing-key", app: "reader", id: "2"),
        SecretBox.Context(purpose: "signing-keyreader", app: "", id: "1"),
        SecretBox.Context(purpose: "signing-key", app: "reader1", id: ""),
    ])
    func opensForNothingElse(context: SecretBox.Context) throws {
        let box = try Self.box(Self.first)
        let sealed = try box.seal([1, 2, 3], for: Self.context)
        #expect(throws: SecretBox.Fault.altered) { try box.open(sealed, for: context) }
    }

    @Test func keysAreReplacedOneAfterTheOther() throws {
        let old = try Self.box(Self.first), both = try Self.box(Self.second, Self.first),
            new = try Self.box(Self.second)
        let before = try old.seal([1], for: Self.context)
        #expect(try both.open(before, for: Self.context) == [1])
        #expect(throws: SecretBox.Fault.unknownKey) { try new.open(before, for: Self.context) }
        #expect(!both.isCurrent(before))
        let after = try both.seal([2], for: Self.context)
        #expect(both.isCurrent(after))
        #expect(try new.open(after, for: Self.context) == [2])
        #expect(throws: SecretBox.Fault.unknownKey) { try old.open(after, for: Self.context) }
        #expect(both.keyNames == new.keyNames + old.keyNames)
    }

    @Test(arguments: [
        "", ",", first + ",", "," + first, first + ",," + second, " " + first, first + "\n",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g",
        "__________________________________________8=",
        "//////////////////////////////////////////9=",
    ])
    func whatIsNoKeyIsRefused(text: String) {
        #expect(SecretKey.list(text) == nil)
    }

    @Test func aFreshKeyIsOne() throws {
        let text = try SecretKey.random()
        #expect(SecretKey(base64: text) != nil)
        #expect(try SecretKey.random() != text)
    }

    @Test func thereIsNoBoxWithoutAKey() {
        #expect(SecretBox([]) == nil)
    }
}
