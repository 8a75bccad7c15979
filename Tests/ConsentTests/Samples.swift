import Consent

/// Values for tests: a moment to start from, two guardians, and a question, a person and a change about them.
enum Samples {
    static let start = Instant(microseconds: 1_790_000_000_123_456)
    static let g1 = CallerID(trusted: "g-1")
    static let g2 = CallerID(trusted: "g-2")
    static let g3 = CallerID(trusted: "g-3")
    static let ref = Identifier(high: 0x1234_5678_9abc_4def, low: 0x8123_4567_89ab_cdef)
    static let changeID = CallerID(trusted: "video-calls")
    static let week = start.adding(seconds: 604_800)

    static func question(
        topic: Topic = .significantAppUpdate(change: changeID), quorum: Int = 1, expiration: Instant = week,
        createdAt: Instant = start
    ) -> Question {
        Question(
            id: Identifier(createdAt: createdAt, random: 7), personRef: ref, topic: topic,
            description: "Adds video calling.", language: "en", quorum: quorum, expiration: expiration,
            createdAt: createdAt)
    }

    static func person(
        ageRange: AgeRange = .range(lower: 13, upper: 15, declaration: "guardianDeclared"), guardians: [CallerID] = [],
        everLinked: Bool? = nil
    ) -> Person {
        Person(
            id: CallerID(trusted: "p-1"), ref: ref, facts: PersonFacts(ageRange: ageRange), revision: 1,
            createdAt: start, updatedAt: start, everLinked: everLinked ?? !guardians.isEmpty, guardians: guardians)
    }

    static func change(_ descriptions: [(language: String, text: String)] = [("en", "Adds video calling.")]) -> Change {
        Change(
            id: changeID,
            settings: ChangeSettings(
                version: "2.0", build: nil, features: ["video"],
                descriptions: descriptions.map { LocalizedText(language: $0.language, text: $0.text) }),
            revision: 1, createdAt: start, updatedAt: start)
    }

    static func ask(
        _ topic: Topic = .significantAppUpdate(change: changeID), description: String? = nil, language: String? = nil,
        expiration: Instant? = nil, quorum: Int? = nil
    ) -> AskRequest {
        AskRequest(
            person: CallerID(trusted: "p-1"), topic: topic, description: description, language: language,
            expiration: expiration, quorum: quorum)
    }

    static func second(_ number: Int64) -> Instant { start.adding(seconds: number) }
}

extension Instant {
    func adding(microseconds: Int64) -> Instant {
        Instant(microseconds: self.microseconds + microseconds)
    }
}

extension Question {
    func approval(_ guardian: CallerID, at now: Instant, reason: String? = nil, mayAnswer: Bool = true) -> Verdict {
        let request = AnswerRequest(guardian: guardian, kind: .approval, reason: reason)
        return applying(.answer(request, mayAnswer: mayAnswer), at: now)
    }

    func denial(_ guardian: CallerID, at now: Instant, reason: String? = nil, mayAnswer: Bool = true) -> Verdict {
        let request = AnswerRequest(guardian: guardian, kind: .denial, reason: reason)
        return applying(.answer(request, mayAnswer: mayAnswer), at: now)
    }
}

extension Verdict {
    /// The question after an accepted change.
    var question: Question? {
        if case .changed(let question, _, recorded: _) = self { question } else { nil }
    }

    var event: EventType? {
        if case .changed(_, let event, recorded: _) = self { event } else { nil }
    }

    var answer: GuardianAnswer? {
        if case .changed(_, _, recorded: let answer) = self { answer } else { nil }
    }
}
