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
