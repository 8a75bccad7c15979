import Consent
import Testing

/// Which of a change's texts a question is asked in.
@Suite struct AskingWordsTests {
    @Test(
        "the tag itself, else the nearest of its language, else English, else the first",
        arguments: [
            ("de", "de"), ("DE", "de"), ("de-AT", "de"), ("de-ch", "de-CH"), ("de-CH-1996", "de-CH"), ("fr", "en"),
            ("pt", "pt-BR"), ("pt-PT", "pt-BR"), ("zh-Hant-TW", "zh-Hant"), ("zh-Hans-SG", "zh-Hans"),
            ("zh", "zh-Hans"), ("d", "en"), ("den", "en"), (nil, "en"),
        ] as [(String?, String)])
    func nearest(language: String?, chosen: String) throws {
        let tags = ["de", "de-CH", "en", "pt-BR", "zh-Hans", "zh-Hant"]
        let change = Samples.change(tags.map { ($0, "in \($0)") })
        let question = try #require(ask(language: language, change: change))
        #expect(question.language == chosen)
        #expect(question.description == "in \(chosen)")
    }

    @Test("regional English is English where nothing nearer is there")
    func regionalEnglish() throws {
        let change = Samples.change([("ar", "in ar"), ("en-GB", "in en-GB")])
        #expect(try #require(ask(language: "fr", change: change)).language == "en-GB")
    }

    @Test(
        "of several languages the first that some text fits, before any text that is merely near",
        arguments: [
            (["fr", "de-AT"], "de"), (["pt-PT", "de"], "de"), (["pt-PT", "fr"], "pt-BR"), (["fr", "ja"], "en"),
            (["zh-Hant-HK-x-old", "de"], "zh-Hant"), (["x-own", "de-CH-1901"], "de-CH"), ([], "en"),
            (["*", "de"], "de"),
        ])
    func several(languages: [String], chosen: String) {
        let tags = ["de", "de-CH", "en", "pt-BR", "zh-Hans", "zh-Hant"]
        let change = Samples.change(tags.map { ($0, "in \($0)") })
        #expect(change.settings.text(for: languages)?.language == chosen)
    }

    @Test("what the body names goes before what the request prefers")
    func bodyFirst() throws {
        let change = Samples.change([("de", "in de"), ("en", "in en"), ("fr", "in fr")])
        for (language, chosen) in [("fr", "fr"), ("ja", "en"), (nil, "de")] {
            var request = Samples.ask(language: language)
            request.preferredLanguages = ["de-AT", "en"]
            let verdict = Asking.decide(
                request, person: Samples.person(), change: change, standing: nil, policy: Policy(), now: Samples.start,
                random: 1)
            guard case .create(let question, before: _) = verdict else {
                Issue.record("not asked: \(verdict)")
                continue
            }
            #expect(question.language == chosen && question.description == "in \(chosen)")
        }
    }

    @Test("without English the first text is taken")
    func first() throws {
        let change = Samples.change([("fr", "in fr"), ("ja", "in ja")])
        #expect(try #require(ask(language: "de", change: change)).language == "fr")
        #expect(try #require(ask(language: nil, change: change)).language == "fr")
    }

    @Test("the caller's own words win over the change's")
    func own() throws {
        let question = try #require(ask(language: nil, description: "My own words", change: Samples.change()))
        #expect(question.description == "My own words")
        #expect(question.language == nil)
    }

    private func ask(language: String?, description: String? = nil, change: Change) -> Question? {
        let verdict = Asking.decide(
            Samples.ask(description: description, language: language), person: Samples.person(), change: change,
            standing: nil, policy: Policy(), now: Samples.start, random: 1)
        if case .create(let question, before: _) = verdict { return question }
        return nil
    }
}
