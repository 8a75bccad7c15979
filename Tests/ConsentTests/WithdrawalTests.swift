import Consent
import Testing

@Suite struct WithdrawalTests {
    private let later = Samples.second(60)
    private let withdrawn = Samples.change().withdrawn(reason: "mistaken", at: Samples.second(30))

    @Test("a change is withdrawn once, for good")
    func once() throws {
        let change = try #require(withdrawn)
        #expect(change.withdrawal == Change.Withdrawal(at: Samples.second(30), reason: "mistaken"))
        #expect(change.revision == 2 && change.updatedAt == Samples.second(30))
        #expect(change.withdrawn(reason: "other", at: later) == nil)
        let early = Samples.change().withdrawn(reason: nil, at: Instant(microseconds: 1))
        #expect(early?.updatedAt == Samples.start)
    }

    @Test("in effect from its moment on, to the microsecond, until withdrawn")
    func effect() throws {
        var change = Samples.change()
        #expect(change.isInEffect(at: Instant(microseconds: 0)))
        change.settings.effectiveFrom = later
        #expect(!change.isInEffect(at: later.adding(microseconds: -1)))
        #expect(change.isInEffect(at: later))
        #expect(try !#require(change.withdrawn(reason: nil, at: later)).isInEffect(at: later))
    }

    @Test("nobody is asked about a withdrawn change, not even where a question stands")
    func asking() throws {
        let change = try #require(withdrawn)
        for standing in [nil, Samples.question()] {
            let verdict = Asking.decide(
                Samples.ask(), person: Samples.person(), change: change, standing: standing, policy: Policy(),
                now: later, random: 1)
            #expect(verdict == .refused(.changeWithdrawn(change)))
        }
    }

    @Test("an adult acknowledges it no more; what was given stays")
    func acknowledging() throws {
        let change = try #require(withdrawn)
        let adult = Samples.person(ageRange: .range(lower: 18, upper: nil, declaration: "confirmed"))
        let given = Acknowledgment(personRef: adult.ref, change: change.id, at: Samples.start)
        for (existing, expected): (Acknowledgment?, AcknowledgeVerdict) in [
            (nil, .refused(.changeWithdrawn(change))), (given, .unchanged(given)),
        ] {
            #expect(
                Acknowledging.decide(
                    person: adult, change: change, existing: existing, policy: Policy(), now: later) == expected)
        }
    }

    /// A question in each state, with what came before it.
    private var states: [Question] {
        let pending = Samples.question(quorum: 2)
        var all = [pending]
        func add(_ question: Question?) { if let question { all.append(question) } }
        let one = Samples.question()
        add(one.approval(Samples.g1, at: Samples.second(1)).question)
        add(one.denial(Samples.g1, at: Samples.second(1)).question)
        add(all[1].denial(Samples.g1, at: Samples.second(2)).question)
        add(pending.denial(Samples.g1, at: Samples.second(1)).question)
        add(one.applying(.cancel(by: .child, reason: nil), at: Samples.second(1)).question)
        add(one.applying(.deadline, at: Samples.week).question)
        return all
    }

    @Test("of all answers only the denial of an approved question is still taken")
    func answering() throws {
        let change = try #require(withdrawn)
        #expect(states.count == 7)
        for question in states {
            for now in [later, Samples.week] {
                for kind in AnswerKind.allCases {
                    for guardian in [Samples.g1, Samples.g2] {
                        let request = AnswerRequest(guardian: guardian, kind: kind)
                        let before = question.applying(.answer(request, mayAnswer: true), at: now)
                        let after = question.applying(.answer(request, mayAnswer: true, withdrawn: change), at: now)
                        switch before {
                        case .unchanged, .refused: #expect(after == before)
                        case .changed:
                            let revokes = question.state == .approved && kind == .denial
                            #expect(after == (revokes ? before : .refused(.changeWithdrawn(change))))
                        }
                    }
                }
            }
        }
    }

    @Test("the withdrawal cancels what waits, and nothing else")
    func cancelling() {
        for question in states {
            let verdict = question.applying(.withdraw(reason: "mistaken"), at: later)
            guard question.state == .pending else {
                #expect(verdict == .unchanged)
                continue
            }
            #expect(verdict.event == .questionCancelled && verdict.question?.state == .cancelled)
            #expect(
                verdict.question?.resolution == Resolution(by: .withdrawal, at: later, reason: "mistaken"))
            #expect(verdict.question?.revision == question.revision + 1)
        }
        // What expired did so before: the sweep's to resolve.
        #expect(Samples.question().applying(.withdraw(reason: nil), at: Samples.week) == .unchanged)
    }
}
