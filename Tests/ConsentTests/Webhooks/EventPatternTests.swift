import Consent
import Testing

/// Which types of events a pattern means.
@Suite struct EventPatternTests {
    @Test func everyTypeFitsAllItsFamilyAndItself() {
        for type in EventType.allCases {
            let family = type.rawValue.prefix { $0 != "." } + ".*"
            for text in ["*", String(family), type.rawValue] {
                #expect(EventPattern(text)?.matches(type) == true, "\(text) \(type)")
            }
        }
    }

    @Test func aFamilyFitsNoOther() throws {
        let questions = try #require(EventPattern("question.*"))
        for type in EventType.allCases {
            #expect(questions.matches(type) == type.rawValue.hasPrefix("question."))
        }
        let one = try #require(EventPattern("app.updated"))
        #expect(EventType.allCases.filter(one.matches) == [.appUpdated])
    }

    @Test(arguments: [
        "", ".*", "*.*", "**", "question", "question.", "question.*.*", "quest.*", "question*", "question.unheard",
        "Question.*", "question.approved ", "question.*,app.*", "que.*",
    ]) func whatFitsNothingIsNoPattern(_ text: String) {
        #expect(EventPattern(text) == nil)
    }

    @Test func thePairsSayTheSameAsTheRule() {
        let patterns = Set(EventPattern.pairs.map(\.pattern))
        #expect(patterns.allSatisfy { EventPattern($0.text) != nil })
        for pattern in patterns {
            let paired = EventPattern.pairs.filter { $0.pattern == pattern }.map(\.type)
            #expect(Set(paired) == Set(EventType.allCases.filter(pattern.matches)), "\(pattern.text)")
            #expect(paired.count == Set(paired).count)
        }
    }

    @Test func settingsWantWhatAnyPatternFits() {
        let settings = WebhookSettings(
            url: "https://a.example/", types: [EventPattern(trusted: "person.*"), EventPattern(trusted: "app.updated")])
        #expect(settings.wants(.personErased) && settings.wants(.appUpdated) && !settings.wants(.questionCreated))
    }
}
