import Consent
import Testing

@Suite struct AskingTests {
    private let now = Samples.second(3600)
    private let policy = Policy()

    private func decide(
        _ request: AskRequest = Samples.ask(), person: Person = Samples.person(), change: Change? = Samples.change(),
        standing: Question? = nil, policy: Policy = Policy(), at now: Instant = Samples.second(3600)
    ) -> AskVerdict {
        Asking.decide(
            request, person: person, change: change, standing: standing, policy: policy, now: now, random: 99)
    }

    private func created(_ verdict: AskVerdict) -> Question? {
        if case .create(let question, before: _) = verdict { question } else { nil }
    }

    @Test("a new question is pending, for the policy's week and quorum, in the change's words")
    func create() throws {
        let question = try #require(created(decide()))
        #expect(
            question
                == Question(
                    id: Identifier(createdAt: now, random: 99), personRef: Samples.ref,
                    topic: .significantAppUpdate(change: Samples.changeID), description: "Adds video calling.",
                    language: "en", quorum: 1, expiration: now.adding(seconds: 604_800), createdAt: now))
        #expect(question.state == .pending)
        #expect(question.revision == 1)
        #expect(question.updatedAt == now)
        #expect(decide() == .create(question, before: []))
    }

    @Test("the caller's own expiration, quorum and words are taken as they are")
    func ownWords() throws {
        let request = Samples.ask(
            .purchase(product: CallerID(trusted: "game")), description: "Ein Spiel", language: "de-AT",
            expiration: now.adding(seconds: 60), quorum: 2)
        let question = try #require(created(decide(request, change: nil)))
        #expect(question.description == "Ein Spiel")
        #expect(question.language == "de-AT")
        #expect(question.expiration == now.adding(seconds: 60))
        #expect(question.quorum == 2)
        let policy = Policy(defaultExpirationSeconds: 5, defaultQuorum: 3)
        let other = try #require(created(decide(policy: policy)))
        #expect(other.expiration == now.adding(seconds: 5))
        #expect(other.quorum == 3)
    }

    @Test("an app's policy may allow less than 365 days")
    func policyBoundsTheExpiration() {
        let policy = Policy(defaultExpirationSeconds: 60, longestExpirationSeconds: 90)
        let latest = now.adding(seconds: 90)
        #expect(created(decide(Samples.ask(expiration: latest), policy: policy))?.expiration == latest)
        let far = AskVerdict.refused(.expirationTooFar(latest: latest))
        #expect(decide(Samples.ask(expiration: latest.adding(microseconds: 1)), policy: policy) == far)
    }

    @Test("an expiration is after now and within 365 days")
    func expirations() {
        let latest = now.adding(seconds: 31_536_000)
        let early = AskVerdict.refused(.expirationNotAfterNow(now: now))
        #expect(decide(Samples.ask(expiration: Instant(microseconds: .min))) == early)
        #expect(decide(Samples.ask(expiration: now.adding(microseconds: -1))) == early)
        #expect(decide(Samples.ask(expiration: now)) == early)
        #expect(created(decide(Samples.ask(expiration: now.adding(microseconds: 1)))) != nil)
        #expect(created(decide(Samples.ask(expiration: latest))) != nil)
        let far = AskVerdict.refused(.expirationTooFar(latest: latest))
        #expect(decide(Samples.ask(expiration: latest.adding(microseconds: 1))) == far)
        #expect(decide(Samples.ask(expiration: Instant(microseconds: .max))) == far)
    }

    @Test(
        "nobody is asked about an adult, confirmed or not, whatever was asked before",
        arguments: ["confirmed", "selfDeclared", nil])
    func adult(declaration: String?) throws {
        let adult = Samples.person(ageRange: .range(lower: 18, upper: nil, declaration: declaration))
        #expect(decide(person: adult) == .refused(.notAvailable))
        #expect(decide(person: adult, change: nil) == .refused(.notAvailable))
        #expect(decide(person: adult, standing: Samples.question()) == .refused(.notAvailable))
    }

    @Test("everybody else may be asked about, also where the age is not known")
    func others() {
        let ranges: [AgeRange] = [
            .notTold, .declined, .range(lower: nil, upper: nil, declaration: nil),
            .range(lower: 17, upper: nil, declaration: nil), .range(lower: nil, upper: 12, declaration: nil),
        ]
        for range in ranges {
            #expect(created(decide(person: Samples.person(ageRange: range))) != nil, "\(range)")
        }
    }

    @Test("a change must be registered, other topics need none")
    func changeNotRegistered() {
        #expect(decide(change: nil) == .refused(.changeNotRegistered))
        let late = Samples.ask(expiration: now)
        #expect(decide(late, change: nil) == .refused(.changeNotRegistered))
        #expect(
            created(decide(Samples.ask(.purchase(product: Samples.changeID), description: "x"), change: nil)) != nil)
    }

    @Test("a quorum that the links cannot reach is refused, and the earlier question stays as it was")
    func quorumUnreachable() throws {
        let one = Samples.person(guardians: [Samples.g1])
        #expect(
            decide(Samples.ask(quorum: 2), person: one) == .refused(.quorumUnreachable(links: 1, quorum: 2)))
        #expect(created(decide(Samples.ask(quorum: 1), person: one)) != nil)
        let overdue = Samples.question(expiration: now)
        #expect(
            decide(Samples.ask(quorum: 2), person: one, standing: overdue)
                == .refused(.quorumUnreachable(links: 1, quorum: 2)))
        let standing = Samples.question()
        #expect(decide(Samples.ask(quorum: 2), person: one, standing: standing) == .existing(standing))
    }

    @Test("the earlier question's last change is not in the future of the new one")
    func clockSetBack() throws {
        let denied = try #require(Samples.question().denial(Samples.g1, at: now).question)
        let verdict = decide(standing: denied, policy: Policy(askAgainSeconds: 0), at: Samples.second(1))
        #expect(created(verdict)?.createdAt == now)
        #expect(created(verdict)?.id == Identifier(createdAt: now, random: 99))
    }
}
