import Consent
import Testing

@Suite struct CallerIDTests {
    private let composed = "Andr\u{e9}"
    private let decomposed = "Andre\u{301}"

    @Test("ids are bytes: what Swift's strings take for equal are two ids")
    func bytes() throws {
        #expect(composed == decomposed, "the trap this type is for")
        let one = try #require(CallerID(composed))
        let two = try #require(CallerID(decomposed))
        #expect(one != two)
        #expect(Set([one, two]).count == 2)
        #expect([one: 1, two: 2][two] == 2)
        #expect(CallerID(composed) == one)
        #expect(two < one, "0x65 sorts before 0xc3")
        #expect(!(one < two))
    }

    @Test("equal ids hash alike, however their text came to be")
    func hashing() {
        let long = String(repeating: "x", count: 100)
        let joined = "prefix-" + long
        let sliced = String("xxprefix-\(long)".dropFirst(2))
        #expect(CallerID(trusted: joined) == CallerID(trusted: sliced))
        #expect(CallerID(trusted: joined).hashValue == CallerID(trusted: sliced).hashValue)
    }

    @Test("1 to 128 bytes, counted in UTF-8")
    func length() {
        #expect(CallerID("") == nil)
        #expect(CallerID("a") != nil)
        #expect(CallerID(String(repeating: "a", count: 128)) != nil)
        #expect(CallerID(String(repeating: "a", count: 129)) == nil)
        #expect(CallerID(String(repeating: "\u{e9}", count: 64)) != nil)
        #expect(CallerID(String(repeating: "\u{e9}", count: 65)) == nil)
    }

    @Test("no control characters; everything else is the caller's own business")
    func controls() {
        for value in Array(0x00...0x1f) + Array(0x7f...0x9f) {
            let control = Unicode.Scalar(UInt8(value))
            #expect(CallerID("a\(control)b") == nil, "U+\(String(value, radix: 16))")
        }
        #expect(CallerID("a\r\nb") == nil, "one Character, two control characters")
        for text in [" ", "a b", "a/b", "a%2Fb", "\u{a0}", "\u{200d}", "\u{1f469}\u{200d}\u{1f466}", "..", "\"", "\\"] {
            #expect(CallerID(text) != nil)
        }
    }

    @Test("an app's id is 1 to 64 of a-z, 0-9 and -")
    func apps() {
        for text in ["a", "reader", "a-1", "-", "0", String(repeating: "z", count: 64)] {
            #expect(AppID(text)?.text == text)
        }
        for text in ["", "Reader", "a_b", "a.b", "a b", "\u{e9}", "a\n", String(repeating: "z", count: 65)] {
            #expect(AppID(text) == nil)
        }
        #expect(AppID(trusted: "a-b") < AppID(trusted: "ab"))
    }
}
