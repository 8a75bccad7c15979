import Crypto
import Testing

struct Base64Tests {
    /// RFC 4648 §10, and the two characters in which the alphabets differ.
    @Test(
        arguments: [
            ("", []), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]),
            ("++//", [0xFB, 0xEF, 0xFF]),
        ] as [(String, [UInt8])])
    func knownAnswers(_ text: String, _ bytes: [UInt8]) {
        #expect(Base64.decode(text) == bytes)
        #expect(Base64.encode(bytes) == text)
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zm8", "Zm9v=", "Zm9v==", "Zm9v====", "=", "==", "====", "A===", "Zg=a", "Z=g=",  // padding
        "Zh==", "Zm9=",  // bits left over that are not zero
        "--__", " Zg==", "Zg==\n", "Zm\n9v", "Zg==Zg==", "Zé==", "Zg\0=",  // foreign characters
    ])
    func refuses(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
