import Consent
import Testing

@Suite struct TextRuleTests {
    @Test("a line has so many bytes and no control character")
    func lines() {
        #expect(OneLine.isValid("", bytes: 0...200))
        #expect(!OneLine.isValid("", bytes: 1...200))
        #expect(OneLine.isValid("\u{e9}", bytes: 2...2))
        #expect(!OneLine.isValid("a\tb", bytes: 1...200))
        #expect(!OneLine.isValid("a\u{85}b", bytes: 1...200))
        #expect(!OneLine.isValid("a\r\nb", bytes: 1...200))
        #expect(FeatureName.isValid("video"))
        #expect(FeatureName.isValid(String(repeating: "f", count: 64)))
        #expect(!FeatureName.isValid(String(repeating: "f", count: 65)))
        #expect(!FeatureName.isValid(""))
        #expect(!FeatureName.isValid("vi\u{0}deo"))
    }

    @Test("regions")
    func regions() {
        for text in ["US", "US-TX", "au", "BR-SP", "419", "ABCDEFGHIJKLMNOP"] { #expect(Region.isValid(text)) }
        for text in ["", "US_TX", "US TX", "ABCDEFGHIJKLMNOPQ", "\u{d6}S", "US\n"] { #expect(!Region.isValid(text)) }
    }

    @Test("bundle ids")
    func bundles() {
        for text in ["com.example.reader", "com.example.my-app_2", "reader", String(repeating: "a", count: 155)] {
            #expect(BundleID.isValid(text))
        }
        for text in [
            "", ".", "com.", ".com", "com..example", "com.example/reader", "com.exam ple", "com.ex\u{e4}mple",
            String(repeating: "a", count: 156),
        ] {
            #expect(!BundleID.isValid(text))
        }
    }

    @Test("App Store ids")
    func appleIDs() {
        for text in ["1", "310633997", "9223372036854775807"] { #expect(AppAppleID.isValid(text)) }
        for text in [
            "", "0", "01", "-1", "+1", "1.0", "1e3", "9223372036854775808", "\u{0661}", "99999999999999999999",
        ] {
            #expect(!AppAppleID.isValid(text))
        }
    }
}
