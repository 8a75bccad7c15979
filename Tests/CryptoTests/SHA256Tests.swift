import Crypto
import Testing

/// Vectors: FIPS 180-4 examples and the NIST long message.
struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func knownAnswers(message: String, expected: String) throws {
        #expect(Hexadecimal.encode(try SHA256.hash(utf8: message).bytes) == expected)
        #expect(Hexadecimal.encode(try SHA256.hash(Array(message.utf8)).bytes) == expected)
    }

    @Test func aMillionLetters() throws {
        var hash = try SHA256()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        for _ in 0..<1_000 { hash.update(piece) }
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(Hexadecimal.encode(try hash.finish().bytes) == expected)
    }

    @Test func piecesGiveWhatTheWholeGives() throws {
        let whole = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let expected = try SHA256.hash(whole)
        for cut in [0, 1, 63, 64, 65, 299, 300] {
            var hash = try SHA256()
            hash.update(Array(whole[..<cut]))
            hash.update(Array(whole[cut...]))
            #expect(try hash.finish() == expected)
        }
    }

    @Test func anUnfinishedHashIsSimplyDropped() throws {
        for _ in 0..<1_000 {
            var hash = try SHA256()
            hash.update([1, 2, 3])
        }
    }

    @Test func manyThreadsHashAtOnce() async throws {
        let expected = try SHA256.hash(utf8: "abc")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 where try SHA256.hash(utf8: "abc") != expected { return false }
                    return true
                }
            }
            for try await same in group { #expect(same) }
        }
    }
}
