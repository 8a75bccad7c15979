import Crypto
import Testing

struct Base64URLTests {
    /// RFC 4648 §10 without padding, and the two characters in which the alphabets differ.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("\u{3ff}", "z78"),
    ])
    func knownAnswers(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test func usesTheURLSafeAlphabet() {
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64URL.decode("--__") == [0xFB, 0xEF, 0xFF])
        #expect(Base64URL.decode("++//") == nil)
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Zm8=",  // padding
        "A", "Zm9vA",  // six bits alone make no byte
        "Zh", "Zm9", "ZmA1Zh", "__",  // bits left over that are not zero
        " Zg", "Zg ", "Zm 8", "Zm\n8", "Zm\r\n8", "\u{FEFF}Zg",  // blanks and marks
        "Zg\0", "Zé", "Z\u{301}g", "Ｚg", "Zg.",  // foreign characters
    ])
    func refuses(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func everyByteOutsideTheAlphabetIsRefused() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect((Base64URL.decode([65, 65, 65, byte]) != nil) == alphabet.contains(byte))
        }
    }

    /// Of all two-character texts, exactly the 256 that some byte encodes to are taken.
    @Test func oneTextForEachByte() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var taken = 0
        for first in alphabet {
            for second in alphabet {
                guard let bytes = Base64URL.decode([first, second]) else { continue }
                taken += 1
                #expect(Array(Base64URL.encode(bytes).utf8) == [first, second])
            }
        }
        #expect(taken == 256)
    }

    @Test func returnsWhatItTook() throws {
        for length in 0..<100 {
            let bytes = try SecureRandom.bytes(length)
            let text = Base64URL.encode(bytes)
            #expect(text.utf8.count == (length * 4 + 2) / 3)
            #expect(Base64URL.decode(text) == bytes)
        }
    }

    @Test func hexadecimalIsLowerCase() {
        #expect(Hexadecimal.encode([]) == "")
        #expect(Hexadecimal.encode([0x00, 0x0f, 0xA0, 0xff]) == "000fa0ff")
    }
}
