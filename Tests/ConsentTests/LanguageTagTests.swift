import Consent
import Testing

@Suite struct LanguageTagTests {
    @Test(
        "well-formed tags, the examples of RFC 5646 among them",
        arguments: [
            "de", "fr", "ja", "i-enochian", "zh-Hant", "zh-Hans", "sr-Cyrl", "sr-Latn", "zh-cmn-Hans-CN",
            "cmn-Hans-CN", "zh-yue-HK", "yue-HK", "zh-Hans-CN", "sr-Latn-RS", "sl-rozaj", "sl-rozaj-biske",
            "sl-nedis", "de-CH-1901", "sl-IT-nedis", "hy-Latn-IT-arevela", "de-DE", "en-US", "es-419",
            "de-CH-x-phonebk", "az-Arab-x-AZE-derbend", "x-whatever", "qaa-Qaaa-QM-x-southern", "de-Qaaa",
            "en-US-u-islamcal", "zh-CN-a-myext-x-private", "en-a-myext-b-another", "en-GB-oed", "sgn-BE-FR",
            "art-lojban", "zh-min-nan", "i-default", "EN", "en-us", "abcd", "abcdefgh", "zh-aaa-bbb-ccc", "x-1",
            "en-a-bb-x-a", "de-1996-1901", "ar-a-aaa-b-bbb-a-ccc",
        ])
    func wellFormed(tag: String) {
        #expect(LanguageTag.isValid(tag))
    }

    @Test(
        "texts that are none",
        arguments: [
            "", "a", "e", "-", "de-", "-de", "de--CH", "de_CH", "de CH", "de-419-DE", "a-DE", "abcdefghi",
            "en-abcdefghi", "x", "x-", "x-abcdefghi", "en-a", "en-a-x-b", "en-x", "en-u", "en-a-b", "1e", "12",
            "zh-aaa-bbb-ccc-ddd", "abcd-aaa", "de-Latn-Latn", "de-DE-DE", "d\u{e9}", "de\u{0}", "de\n", "i-unknown",
            "de-12", "de-1234567890", "en-us-", "*", "de-*", "\u{ff44}\u{ff45}",
            "en-aaaaa-bbbbb-ccccc-ddddd-eeeee-fff",
        ])
    func malformed(tag: String) {
        #expect(!LanguageTag.isValid(tag))
    }

    @Test("at most 35 bytes")
    func length() {
        let longest = "en-aaaaa-bbbbb-ccccc-ddddd-eeeeeeee"
        #expect(longest.utf8.count == LanguageTag.longest)
        #expect(LanguageTag.isValid(longest))
        #expect(!LanguageTag.isValid("en-aaaaa-bbbbb-ccccc-dddddd-eeeeeeee"))
    }

    @Test("tags are one whatever the case of their letters")
    func sameness() {
        #expect(LanguageTag.areSame("de-ch", "DE-CH"))
        #expect(!LanguageTag.areSame("de", "de-CH"))
        #expect(!LanguageTag.areSame("de-CH", "de_CH"))
        #expect(!LanguageTag.areSame("de@", "de`"))
    }
}
