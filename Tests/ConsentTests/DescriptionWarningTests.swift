import Consent
import Testing

/// Which descriptions are said to tell guardians nothing.
@Suite struct DescriptionWarningTests {
    private func fault(_ text: String, features: [String]? = ["video", "location sharing"]) -> DescriptionWarning.Fault?
    {
        var settings = Samples.change([("en", text)]).settings
        settings.features = features
        return settings.warnings(id: CallerID(trusted: "video-calls")).first?.fault
    }

    @Test(arguments: [
        "improvements", "Improvements.", "Bug fixes and performance improvements", "BUG FIXES!!!",
        "Various small updates", "Version 2.0", "2.0.1", "We have made the app better for you.", "...", " ",
        "\u{1F389}",
        "Allgemeine Verbesserungen und Fehlerbehebungen", "Verschiedene \u{c4}nderungen", "Corrections de bugs",
        "Am\u{e9}liorations g\u{e9}n\u{e9}rales", "Mejoras y correcciones", "New features",
    ])
    func saysNothing(_ text: String) {
        #expect(fault(text) == .saysNothing)
    }

    @Test(arguments: [
        "video-calls", "Video calls", "The new video feature", "VIDEO", "Update: video calls!",
        "Location sharing improved",
    ])
    func repeatsName(_ text: String) {
        #expect(fault(text) == .repeatsName)
    }

    @Test(arguments: ["Chat", "Chat added", "Adds ads", "\u{30c1}\u{30e3}"])
    func tooShort(_ text: String) {
        #expect(fault(text) == .tooShort)
    }

    @Test(arguments: [
        "Adds video calling and location sharing.", "Adds video calling.", "Strangers may send messages.",
        "Neu: Videoanrufe mit Freunden.", "Improvements: children may now chat with strangers.",
        "\u{30d3}\u{30c7}\u{30aa}\u{901a}\u{8a71}\u{3092}\u{8ffd}\u{52a0}",
    ])
    func says(_ text: String) {
        #expect(fault(text) == nil)
    }

    @Test("each language is judged alone, in order")
    func perLanguage() {
        let settings = Samples.change([("de", "Fehler behoben"), ("en", "Adds video calling."), ("fr", "oui")]).settings
        #expect(
            settings.warnings(id: CallerID(trusted: "x")) == [
                DescriptionWarning(language: "de", fault: .saysNothing),
                DescriptionWarning(language: "fr", fault: .tooShort),
            ])
    }

    @Test("an accent counts as the same in either form")
    func composition() {
        #expect(fault("Ame\u{301}liorations") == .saysNothing)
    }
}
