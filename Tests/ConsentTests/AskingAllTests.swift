import Consent
import Testing

/// Asking about everything that is open: which changes need a question, held against what access says of them.
@Suite struct AskingAllTests {
    private typealias Asked = AccessCase.Asked

    private static let policies = RoutingProduct.fewPolicies + RoutingProduct.regional
    private static let child = PersonFacts(
        ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
        duties: .features(["significantAppChangeRequiresParentalConsent"]))
    private static let now = AccessCase.now

    private func person(_ facts: PersonFacts = child, guardians: [CallerID] = []) -> Person {
        var person = Samples.person(guardians: guardians)
        person.facts = facts
        return person
    }

    private func id(_ text: String) -> CallerID { CallerID(trusted: text) }

    private func change(_ id: String, effectiveFrom: Instant? = nil) -> Change {
        change(self.id(id), effectiveFrom: effectiveFrom)
    }

    private func change(_ id: CallerID = Samples.changeID, effectiveFrom: Instant? = nil) -> Change {
        let settings = ChangeSettings(
            version: "2.0", build: nil, features: ["video"],
            descriptions: [.init(language: "de", text: "Neu."), .init(language: "en", text: "New.")],
            effectiveFrom: effectiveFrom)
        return Change(id: id, settings: settings, revision: 1, createdAt: Samples.start, updatedAt: Samples.start)
    }

    private func decide(
        _ person: Person?, _ changes: [Change], _ standing: [CallerID: Question] = [:], _ policy: Policy = Policy(),
        request: AskAllRequest = AskAllRequest(person: CallerID(trusted: "p-1"))
    ) -> AskAllVerdict {
        var random: UInt64 = 0
        return Asking.decideAll(
            request, person: person, changes: changes, standing: standing, policy: policy, now: Self.now,
            random: {
                random += 1
                return random
            })
    }

    /// The newest question about a change where it stands so.
    private func question(_ asked: Asked, _ change: CallerID = Samples.changeID) throws -> Question? {
        let question = Samples.question(
            topic: .significantAppUpdate(change: change),
            expiration: asked == .overdue ? Self.now : AccessCase.expiration)
        let settled = Samples.second(60)
        switch asked {
        case .never: return nil
        case .pending, .overdue: return question
        case .approved: return question.approval(Samples.g1, at: settled).question
        case .denied: return question.denial(Samples.g1, at: settled).question
        case .revoked:
            let approved = try #require(question.approval(Samples.g1, at: Samples.second(1)).question)
            return approved.denial(Samples.g1, at: settled).question
        case .rescinded:
            let approved = try #require(question.approval(Samples.g1, at: Samples.second(1)).question)
            return approved.applying(.rescind(upTo: settled, endsPending: true, reason: nil), at: settled).question
        case .expired:
            var expired = question
            expired.state = .expired
            return expired
        case .cancelled: return question.applying(.cancel(by: .child, reason: nil), at: settled).question
        }
    }

    @Test("over everything that can be known of a person, exactly what access says a guardian decides is asked about")
    func wholeProduct() throws {
        let standings = try Asked.allCases.map { ($0, try question($0)) }
        var wrong: [String] = []
        for policy in Self.policies {
            for age in RoutingProduct.ages {
                for duties in RoutingProduct.duties {
                    let facts = PersonFacts(ageRange: age, duties: duties, region: "BR")
                    // What was asked before counts only where a guardian is asked.
                    let asks = Routing(facts, policy: policy) == .guardian
                    for (asked, standing) in standings where asks || asked == .never || asked == .approved {
                        for flags in 0..<4 {
                            let isExempt = flags & 1 != 0
                            let isRescinded = flags & 2 != 0
                            let verdict = verdict(facts, policy, standing, isExempt, isRescinded)
                            let expected = expected(facts, policy, standing, isExempt, isRescinded)
                            if verdict != expected { wrong.append("\(facts) \(policy) \(asked) \(flags): \(verdict)") }
                        }
                    }
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    private func verdict(
        _ facts: PersonFacts, _ policy: Policy, _ standing: Question?, _ isExempt: Bool, _ isRescinded: Bool
    ) -> AskAllVerdict {
        var person = person(facts)
        person.facts.original = OriginalVersion(
            value: isExempt ? "2.0" : "1.0", kind: .version, environment: .production)
        if isRescinded { person.rescindedAt = Samples.second(70) }
        return decide(person, [change()], standing.map { [Samples.changeID: $0] } ?? [:], policy)
    }

    /// What the routing table says, and for what a guardian decides what asking about that change alone comes to.
    private func expected(
        _ facts: PersonFacts, _ policy: Policy, _ standing: Question?, _ isExempt: Bool, _ isRescinded: Bool
    ) -> AskAllVerdict {
        if isRescinded { return .refused(.consentRescinded(nil)) }
        let age = AgeGroup(facts.ageRange, adultAge: policy.adultAge(of: facts))
        if age == .adultConfirmed || age == .adultNotConfirmed { return .refused(.notAvailable) }
        if isExempt { return .asked([]) }
        switch RoutingTable.outcome(facts, policy) {
        case .clear, .acknowledgment, nil: return .asked([])
        case .blocked(let reason): return .refused(.blocked(reason))
        case .guardian:
            let alone = Asking.decide(
                Samples.ask(), person: person(facts), change: change(), standing: standing, policy: policy,
                now: Self.now, random: 1)
            return .asked([AskedChange(change: Samples.changeID, verdict: alone)])
        }
    }

    @Test("afterwards access has nobody to ask, and nothing that stood was asked anew", arguments: [0, 86_400])
    func afterwards(askAgain: Int) throws {
        let policy = Policy(askAgainSeconds: askAgain)
        for asked in Asked.allCases {
            for hasReturned in [false, true] {
                let standing = try question(asked)
                let before = AccessCase(
                    facts: Self.child, policy: policy, asked: asked, hasReturned: hasReturned
                ).decision
                var person = person()
                if hasReturned { person.returnedAt = Samples.second(70) }
                guard
                    case .asked(let items) = decide(
                        person, [change()], standing.map { [Samples.changeID: $0] } ?? [:], policy),
                    let item = items.first
                else {
                    Issue.record("\(asked): nothing asked")
                    continue
                }
                var newest = standing
                switch item.verdict {
                case .existing(let question): #expect(question == standing && [.pending, .approved].contains(asked))
                case .refused(let refusal):
                    #expect(refusal.code == "deniedRecently" && askAgain > 0 && [.denied, .revoked].contains(asked))
                case .create(let question, _):
                    newest = question
                    #expect(
                        before.phase == .askGuardian || asked == .rescinded
                            || askAgain == 0 && [.denied, .revoked].contains(asked), "\(asked)")
                }
                let after = AccessDecision.decide(
                    Self.child, isRescinded: false, hasReturned: hasReturned, policy: policy,
                    changes: [ChangeInEffect(change())],
                    questions: newest.map { [Samples.changeID: QuestionBrief($0)] } ?? [:], acknowledged: [],
                    now: Self.now)
                #expect(after.phase != .askGuardian, "\(asked)")
            }
        }
    }

    @Test("of any three changes each is as if it were asked about alone, in the order given")
    func three() throws {
        let ids = (0..<3).map { CallerID(trusted: "c-\($0)") }
        for first in Asked.allCases {
            for second in Asked.allCases {
                for third in Asked.allCases {
                    var standing: [CallerID: Question] = [:]
                    for (id, asked) in zip(ids, [first, second, third]) { standing[id] = try question(asked, id) }
                    let alone = ids.enumerated().map { number, id in
                        AskedChange(
                            change: id,
                            verdict: Asking.decide(
                                Samples.ask(.significantAppUpdate(change: id)), person: person(), change: change(id),
                                standing: standing[id], policy: Policy(), now: Self.now, random: UInt64(number + 1)))
                    }
                    #expect(decide(person(), ids.map { change($0) }, standing) == .asked(alone))
                }
            }
        }
    }

    @Test(
        "a change that was taken back or is not in effect yet concerns nobody; at the very moment it takes effect it does"
    )
    func inEffect() throws {
        let gone = try #require(change("gone").withdrawn(reason: nil, at: Samples.start))
        let soon = change("soon", effectiveFrom: Self.now.adding(microseconds: 1))
        let since = change("since", effectiveFrom: Self.now)
        guard case .asked(let items) = decide(person(), [gone, soon, since]) else {
            Issue.record("refused")
            return
        }
        #expect(items.map(\.change) == [id("since")])
        #expect(decide(person(), [gone, soon]) == .asked([]))
        #expect(decide(person(), []) == .asked([]))
    }

    @Test("what the request gives counts for each question, and each has an id of its own")
    func terms() {
        let request = AskAllRequest(
            person: CallerID(trusted: "p-1"), language: "de", expiration: Samples.second(5_000), quorum: 3)
        guard case .asked(let items) = decide(person(), [change("a"), change("b")], request: request) else {
            Issue.record("refused")
            return
        }
        let questions = items.compactMap { item in
            if case .create(let question, before: []) = item.verdict { question } else { nil }
        }
        #expect(questions.count == 2 && Set(questions.map(\.id)).count == 2)
        for question in questions {
            #expect(question.expiration == Samples.second(5_000) && question.quorum == 3)
            #expect(question.language == "de" && question.description == "Neu.")
        }
        var preferring = AskAllRequest(person: CallerID(trusted: "p-1"))
        preferring.preferredLanguages = ["fr", "de-AT"]
        #expect(preferring.request(about: id("a")).preferredLanguages == ["fr", "de-AT"])
    }

    @Test("what would be refused of every change alike refuses the whole")
    func whole() throws {
        let changes = [change("a"), change("b")]
        #expect(decide(nil, changes) == .refused(.unknownPerson))
        func request(expiration: Instant? = nil, quorum: Int? = nil) -> AskAllRequest {
            AskAllRequest(person: CallerID(trusted: "p-1"), expiration: expiration, quorum: quorum)
        }
        #expect(
            decide(person(), changes, request: request(expiration: Self.now))
                == .refused(.expirationNotAfterNow(now: Self.now)))
        let latest = Self.now.adding(seconds: Int64(Policy().longestExpirationSeconds))
        #expect(
            decide(person(), changes, request: request(expiration: latest.adding(microseconds: 1)))
                == .refused(.expirationTooFar(latest: latest)))
        let linked = person(guardians: [Samples.g1])
        #expect(
            decide(linked, changes, request: request(quorum: 2)) == .refused(.quorumUnreachable(links: 1, quorum: 2)))
        // One of them needs a new question, so the whole is refused; where all of them stand, nobody new is asked.
        let a = try question(.pending, id("a"))
        let b = try question(.approved, id("b"))
        let some = [id("a"): a].compactMapValues { $0 }
        #expect(
            decide(linked, changes, some, request: request(quorum: 2))
                == .refused(.quorumUnreachable(links: 1, quorum: 2)))
        let all = [id("a"): a, id("b"): b].compactMapValues { $0 }
        guard case .asked(let items) = decide(linked, changes, all, request: request(quorum: 2)) else {
            Issue.record("refused")
            return
        }
        #expect(items.map(\.verdict) == [a, b].compactMap { $0 }.map { .existing($0) })
    }
}
