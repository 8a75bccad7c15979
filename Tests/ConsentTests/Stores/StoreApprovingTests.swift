import Consent
import Testing

/// One approval of Google Play's settles every change that was there: here, one answer for each.
@Suite struct StoreApprovingTests {
    private func change(_ effectiveFrom: Int64? = nil, withdrawn: Bool = false) -> Change {
        var change = Samples.change()
        change.settings.effectiveFrom = effectiveFrom.map { Samples.second($0) }
        return withdrawn ? change.withdrawn(reason: nil, at: Samples.second(1)) ?? change : change
    }

    private func step(
        _ approvedAt: Int64 = 100, change: Change? = nil, person: Person = Samples.person(), standing: Question? = nil,
        refusedAt: Instant? = nil, rescissions: [Rescission] = [], policy: Policy = Policy(), now: Int64 = 200
    ) -> StoreApproving.Step {
        StoreApproving.step(
            approvedAt: Samples.second(approvedAt), change: change ?? self.change(), person: person,
            standing: standing, refusedAt: refusedAt, rescissions: rescissions, policy: policy,
            now: Samples.second(now))
    }

    private func asks(_ step: StoreApproving.Step) -> Bool {
        if case .asks(let request) = step {
            request.person == Samples.person().id && request.topic == .significantAppUpdate(change: Samples.changeID)
        } else {
            false
        }
    }

    private func rescission(
        _ effective: Int64, scope: RescissionScope = .person, isStores: Bool = false, endedAt: Int64? = nil
    ) -> Rescission {
        Rescission(
            personRef: Samples.ref, number: 1, scope: scope, reason: nil, source: isStores ? .appStore : .service,
            effectiveAt: Samples.second(effective), receivedAt: Samples.second(effective),
            notice: isStores ? .init(id: Samples.ref, environment: .production) : nil, ended: [], voided: [],
            freezes: true, endedAt: endedAt.map { Samples.second($0) })
    }

    @Test("a change that was there then is asked about, or its waiting question answered")
    func changes() {
        #expect(asks(step()))
        #expect(step(standing: Samples.question()) == .answers(Samples.question()))
        #expect(step(-1) == .nothing)
        #expect(asks(step(0)))
        #expect(asks(step(change: change(100))))
        #expect(step(change: change(101)) == .nothing)
        #expect(step(change: change(withdrawn: true)) == .nothing)
    }

    @Test("nobody is asked about what they had from the start")
    func exempt() {
        var person = Samples.person()
        person.facts.original = OriginalVersion(value: "2.0", kind: .version, environment: .production)
        #expect(step(person: person) == .nothing)
        person.facts.original = OriginalVersion(value: "1.9", kind: .version, environment: .production)
        #expect(asks(step(person: person)))
    }

    @Test("what is approved stays so, and of a refusal and an approval the later one counts")
    func standing() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: Samples.second(50)).question)
        #expect(step(standing: approved) == .nothing)
        for (second, isAsked) in [(Int64(99), true), (100, false), (101, false)] {
            let denied = try #require(Samples.question().denial(Samples.g1, at: Samples.second(second)).question)
            #expect(asks(step(standing: denied, refusedAt: denied.refusedAt)) == isAsked, "\(second)")
            let revoked = try #require(approved.denial(Samples.g1, at: Samples.second(second)).question)
            #expect(asks(step(standing: revoked, refusedAt: revoked.refusedAt)) == isAsked, "\(second)")
            // What was asked since does not make an approval from before the refusal count again.
            let waiting = Samples.question()
            #expect(
                step(standing: waiting, refusedAt: denied.refusedAt) == (isAsked ? .answers(waiting) : .nothing))
        }
        let short = Samples.question(expiration: Samples.second(60))
        #expect(asks(step(standing: short)))
        let input = QuestionInput.cancel(by: .child, reason: nil)
        let cancelled = try #require(Samples.question().applying(input, at: Samples.second(60)).question)
        #expect(asks(step(standing: cancelled)))
    }

    @Test("what consent taken back voids is void, whoever tells of it and however late")
    func rescissions() {
        #expect(step(rescissions: [rescission(100, endedAt: 150)]) == .nothing)
        #expect(asks(step(rescissions: [rescission(99, endedAt: 150)])))
        #expect(step(rescissions: [rescission(99, isStores: true, endedAt: 150)]) == .nothing)
        #expect(step(rescissions: [rescission(40, isStores: true, endedAt: 150)]) == .nothing)
        #expect(asks(step(rescissions: [rescission(39, isStores: true, endedAt: 150)])))
        // The margin ends at the return.
        #expect(asks(step(rescissions: [rescission(99, isStores: true, endedAt: 100)])))
        #expect(step(rescissions: [rescission(100, scope: .change(Samples.changeID))]) == .nothing)
        #expect(asks(step(rescissions: [rescission(100, scope: .change(CallerID(trusted: "other")))])))
        var frozen = Samples.person()
        frozen.rescindedAt = Samples.second(10)
        #expect(step(person: frozen) == .nothing)
    }

    @Test("the answer counts from when it was given, and a policy that demands verification is heeded")
    func answer() throws {
        let verdict = Samples.question().approvedByStore(
            at: Samples.second(40), policy: Policy(), now: Samples.second(200))
        guard case .changed(let question, .questionApproved, let recorded?) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(recorded.at == Samples.second(40) && question.latestAnswers == [recorded])
        #expect(question.updatedAt == Samples.second(200) && question.resolution?.at == Samples.second(200))
        #expect(recorded.verification?.method == "playStore" && recorded.guardian == StoreApproving.guardian)
        let strict = Policy(verificationMethods: ["card"])
        #expect(
            Samples.question().approvedByStore(at: Samples.second(40), policy: strict, now: Samples.second(200))
                == .refused(.verificationRequired(methods: ["card"])))
        let open = Policy(verificationMethods: ["card", "playStore"])
        #expect(
            Samples.question().approvedByStore(at: Samples.second(40), policy: open, now: Samples.second(200)).event
                == .questionApproved)
        #expect(StoreApproving.asking(Policy(askAgainSeconds: 9, defaultQuorum: 3)).askAgainSeconds == 0)
        #expect(StoreApproving.asking(Policy(askAgainSeconds: 9, defaultQuorum: 3)).defaultQuorum == 3)
    }
}
