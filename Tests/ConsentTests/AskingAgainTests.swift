import Consent
import Testing

/// Asking the same again: topics, times the state of what was asked before, times whether the delay has passed.
@Suite struct AskingAgainTests {
    enum Earlier: CaseIterable {
        case pending, overdue, approved, approvedPastExpiration, denied, deniedPastExpiration, revoked, expired
        case cancelled, rescinded
    }

    static let topics: [Topic] = [
        .significantAppUpdate(change: Samples.changeID),
        .communication(handles: [CallerID(trusted: "h-1"), CallerID(trusted: "h-2")]),
        .purchase(product: CallerID(trusted: "game")),
        .custom(subject: CallerID(trusted: "screen-time"), reusable: true),
        .custom(subject: CallerID(trusted: "screen-time"), reusable: false),
    ]

    static let delay: Int64 = 86_400
    static let settled = Samples.second(60)

    private func standing(_ earlier: Earlier, topic: Topic, now: Instant) throws -> Question {
        let past: Set<Earlier> = [.overdue, .expired, .approvedPastExpiration, .deniedPastExpiration]
        let expiration = past.contains(earlier) ? Samples.second(90) : now.adding(seconds: 1)
        let question = Samples.question(topic: topic, expiration: expiration)
        let settled = AskingAgainTests.settled
        switch earlier {
        case .pending, .overdue: return question
        case .approved, .approvedPastExpiration:
            return try #require(question.approval(Samples.g1, at: settled).question)
        case .denied, .deniedPastExpiration: return try #require(question.denial(Samples.g1, at: settled).question)
        case .revoked:
            let approved = try #require(question.approval(Samples.g1, at: Samples.second(1)).question)
            return try #require(approved.denial(Samples.g1, at: settled).question)
        case .expired: return try #require(question.applying(.deadline, at: expiration).question)
        case .cancelled:
            return try #require(question.applying(.cancel(by: .child, reason: nil), at: settled).question)
        case .rescinded:
            var rescinded = try #require(question.approval(Samples.g1, at: Samples.second(1)).question)
            rescinded.state = .revoked
            rescinded.resolution = Resolution(by: .rescission, at: settled, reason: nil)
            return rescinded
        }
    }

    @Test("every topic, earlier state and delay", arguments: topics, Earlier.allCases)
    func matrix(topic: Topic, earlier: Earlier) throws {
        let until = AskingAgainTests.settled.adding(seconds: AskingAgainTests.delay)
        for now in [Samples.second(120), until.adding(microseconds: -1), until, until.adding(microseconds: 1)] {
            let standing = try standing(earlier, topic: topic, now: now)
            let verdict = Asking.decide(
                Samples.ask(topic, description: "Please"), person: Samples.person(), change: Samples.change(),
                standing: standing, policy: Policy(askAgainSeconds: Int(AskingAgainTests.delay)), now: now, random: 5)
            let id = Identifier(createdAt: now, random: 5)
            switch earlier {
            case .pending: #expect(verdict == .existing(standing))
            case .approved, .approvedPastExpiration:
                if topic.approvalStands {
                    #expect(verdict == .existing(standing))
                } else {
                    expectCreated(verdict, id: id, before: [])
                }
            case .denied, .deniedPastExpiration, .revoked:
                if now < until {
                    #expect(verdict == .refused(.deniedRecently(standing, until: until, now: now)))
                } else {
                    try expectCreated(verdict, id: id, before: [superseded(standing, by: id, at: now)])
                }
            case .rescinded: try expectCreated(verdict, id: id, before: [superseded(standing, by: id, at: now)])
            case .overdue:
                let swept = try #require(standing.applying(.deadline, at: now).question)
                expectCreated(verdict, id: id, before: [EarlierChange(question: swept, event: .questionExpired)])
            case .expired, .cancelled: expectCreated(verdict, id: id, before: [])
            }
        }
    }

    private func superseded(_ question: Question, by id: Identifier, at now: Instant) throws -> EarlierChange {
        let old = try #require(question.applying(.supersede(by: id), at: now).question)
        return EarlierChange(question: old, event: .questionSuperseded)
    }

    private func expectCreated(_ verdict: AskVerdict, id: Identifier, before: [EarlierChange]) {
        guard case .create(let question, let changes) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(question.id == id)
        #expect(question.state == .pending)
        #expect(changes == before)
    }

    @Test("no delay at all lets a denied question be asked again at once")
    func noDelay() throws {
        let denied = try #require(Samples.question().denial(Samples.g1, at: AskingAgainTests.settled).question)
        let now = AskingAgainTests.settled
        let verdict = Asking.decide(
            Samples.ask(), person: Samples.person(), change: Samples.change(), standing: denied,
            policy: Policy(askAgainSeconds: 0), now: now, random: 5)
        let id = Identifier(createdAt: now, random: 5)
        try expectCreated(verdict, id: id, before: [superseded(denied, by: id, at: now)])
    }

    @Test("the delay counts from the denial that decided, not from a later answer")
    func delayCountsFromDecision() throws {
        let denied = try #require(Samples.question().denial(Samples.g1, at: AskingAgainTests.settled).question)
        let twice = try #require(denied.denial(Samples.g2, at: Samples.second(600)).question)
        #expect(twice.askAgain(policy: Policy(askAgainSeconds: 10)) == AskingAgainTests.settled.adding(seconds: 10))
        let approved = try #require(Samples.question().approval(Samples.g1, at: AskingAgainTests.settled).question)
        #expect(approved.askAgain(policy: Policy()) == nil)
    }

    @Test("an approval for once serves neither a standing wish, nor one for good a wish for once")
    func onceAndForGood() throws {
        let subject = CallerID(trusted: "screen-time")
        let now = Samples.second(120)
        for reusable in [true, false] {
            let topic = Topic.custom(subject: subject, reusable: reusable)
            let approved = try #require(
                Samples.question(topic: topic).approval(Samples.g1, at: AskingAgainTests.settled).question)
            let verdict = Asking.decide(
                Samples.ask(.custom(subject: subject, reusable: !reusable), description: "Please"),
                person: Samples.person(), change: nil, standing: approved, policy: Policy(), now: now, random: 5)
            expectCreated(verdict, id: Identifier(createdAt: now, random: 5), before: [])
        }
    }
}
