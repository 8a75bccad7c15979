import Consent
import Testing

/// Consent taken back and given again, also where it is learnt of late or out of order.
@Suite struct RescindingTests {
    private let topic = Topic.significantAppUpdate(change: Samples.changeID)

    private func approved(at second: Int64, quorum: Int = 1) -> Question {
        var question = Samples.question(quorum: quorum)
        for guardian in [Samples.g1, Samples.g2].prefix(quorum) {
            question = question.approval(guardian, at: Samples.second(second)).question ?? question
        }
        return question
    }

    private func decide(
        _ scope: RescissionScope = .person, effective: Int64? = nil, margin: Int = 0, person: Person = Samples.person(),
        change: Change? = Samples.change(), questions: [Question] = [], now: Int64 = 100
    ) -> RescindVerdict {
        let request = RescissionRequest(
            scope: scope, reason: "moved away", effective: effective.map { Samples.second($0) }, marginSeconds: margin)
        return Rescinding.decide(
            request, person: person, change: change, questions: questions, earlier: 0, now: Samples.second(now))
    }

    @Test("a service's word freezes from now on, and says all that it ended")
    func service() throws {
        let pending = Samples.question(topic: .custom(subject: CallerID(trusted: "s"), reusable: true))
        let approved = approved(at: 10)
        let (rescission, person, ended, voided) = try #require(decide(questions: [pending, approved]).parts)
        #expect(person.rescindedAt == Samples.second(100) && person.revision == 2 && person.isRescinded)
        #expect(rescission.freezes && rescission.effectiveAt == Samples.second(100) && rescission.endedAt == nil)
        #expect(rescission.receivedAt == Samples.second(100) && rescission.number == 1)
        #expect(Set(ended.map(\.question.state)) == [.cancelled, .revoked] && voided.isEmpty)
        #expect(Set(ended.map(\.event)) == [.questionCancelled, .questionRevoked])
        for question in ended.map(\.question) {
            let resolution = Resolution(by: .rescission, at: Samples.second(100), reason: "moved away")
            #expect(question.resolution == resolution)
            #expect(question.allowedActions(at: Samples.second(101)).isEmpty)
        }
        #expect(decide(person: person, questions: ended.map(\.question), now: 200) == .unchanged)
    }

    @Test("no answer is taken on what it revoked, not even a denial, and nothing approved while it holds")
    func answersAreRefused() throws {
        let revoked = try #require(decide(questions: [approved(at: 10)]).parts?.ended.first?.question)
        for kind in AnswerKind.allCases {
            for rescinded in [true, false] {
                let request = AnswerRequest(guardian: Samples.g1, kind: kind)
                let input = QuestionInput.answer(request, mayAnswer: true, rescinded: rescinded)
                #expect(revoked.applying(input, at: Samples.second(101)) == .refused(.consentRescinded(revoked)))
            }
        }
        let denied = try #require(Samples.question().denial(Samples.g1, at: Samples.second(1)).question)
        let approval = AnswerRequest(guardian: Samples.g2, kind: .approval)
        #expect(
            denied.applying(.answer(approval, mayAnswer: true, rescinded: true), at: Samples.second(2))
                == .refused(.consentRescinded(denied)))
        let denial = AnswerRequest(guardian: Samples.g2, kind: .denial)
        #expect(
            denied.applying(.answer(denial, mayAnswer: true, rescinded: true), at: Samples.second(2)).event
                == .questionAnswered)
    }

    @Test("nothing is asked and nothing newly acknowledged while it holds")
    func askingAndAcknowledging() throws {
        var person = Samples.person(ageRange: .range(lower: 18, upper: nil, declaration: "confirmed"))
        person.rescindedAt = Samples.start
        let now = Samples.second(1)
        let asked = Asking.decide(
            Samples.ask(), person: person, change: Samples.change(), standing: nil, policy: Policy(), now: now,
            random: 1)
        #expect(asked == .refused(.consentRescinded(nil)))
        func acknowledge(_ existing: Acknowledgment?) -> AcknowledgeVerdict {
            Acknowledging.decide(
                person: person, change: Samples.change(), existing: existing, policy: Policy(), now: now)
        }
        #expect(acknowledge(nil) == .refused(.consentRescinded(nil)))
        let given = Acknowledgment(personRef: Samples.ref, change: Samples.changeID, at: Samples.start)
        #expect(acknowledge(given) == .unchanged(given))
    }

    @Test("what it revoked is asked anew at once: no guardian's word stands against it")
    func askingAgain() throws {
        let revoked = try #require(decide(questions: [approved(at: 10)]).parts?.ended.first?.question)
        let asked = Asking.decide(
            Samples.ask(), person: Samples.person(), change: Samples.change(), standing: revoked, policy: Policy(),
            now: Samples.second(101), random: 1)
        guard case .create(let question, let before) = asked else {
            Issue.record("\(asked)")
            return
        }
        #expect(question.state == .pending && before.map(\.event) == [.questionSuperseded])
    }

    @Test("the scope of one change ends that change's questions and freezes nobody")
    func scopeOfAChange() throws {
        let other = Samples.question(topic: .purchase(product: CallerID(trusted: "hat")))
        let (rescission, person, ended, _) = try #require(
            decide(.change(Samples.changeID), questions: [approved(at: 10), other]).parts)
        #expect(!rescission.freezes && !person.isRescinded && person == Samples.person())
        #expect(ended.map(\.question.state) == [.revoked] && rescission.ended == ended.map(\.question.id))
        let after = ended.map(\.question) + [other]
        #expect(decide(.change(Samples.changeID), questions: after) == .unchanged)
        #expect(decide(.change(Samples.changeID), change: nil) == .refused(.rescindedChangeNotRegistered))
        // A change counts as its bytes: one that differs in how an accent is composed is another.
        let composed = CallerID(trusted: "ren\u{e9}")
        let question = Samples.question(topic: .significantAppUpdate(change: composed))
        #expect(decide(.change(CallerID(trusted: "rene\u{301}")), questions: [question]) == .unchanged)
    }

    @Test("with a quorum, approvals on what is refused count no more after it")
    func voiding() throws {
        var question = Samples.question(quorum: 2)
        question = try #require(question.approval(Samples.g1, at: Samples.second(1)).question)
        question = try #require(question.denial(Samples.g2, at: Samples.second(2)).question)
        let (rescission, _, ended, voided) = try #require(decide(questions: [question]).parts)
        #expect(ended.isEmpty && rescission.voided == [question.id])
        let left = try #require(voided.first)
        #expect(left.revision == question.revision && left.state == .denied)
        let again = try #require(left.approval(Samples.g2, at: Samples.second(200)).question)
        #expect(again.state == .pending)
        #expect(again.approval(Samples.g1, at: Samples.second(201)).question?.state == .approved)
    }

    // MARK: Learnt of late

    @Test("after a return it freezes nobody and voids what was approved before it")
    func afterAReturn() throws {
        var person = Samples.person()
        person.returnedAt = Samples.second(60)
        let before = approved(at: 10)
        let pending = Samples.question(topic: .custom(subject: CallerID(trusted: "s"), reusable: true))
        let (rescission, after, ended, voided) = try #require(
            decide(effective: 50, margin: 60, person: person, questions: [before, pending]).parts)
        #expect(!after.isRescinded && !rescission.freezes && after == person)
        #expect(ended.map(\.question.state) == [.revoked] && voided.isEmpty)
        // The margin ends at the return: what was approved after it was approved by a household that was back.
        for second in [Int64(50), 59] {
            #expect(decide(effective: 50, margin: 60, person: person, questions: [approved(at: second)]) != .unchanged)
        }
        for second in [Int64(60), 61, 99] {
            #expect(decide(effective: 50, margin: 60, person: person, questions: [approved(at: second)]) == .unchanged)
        }
        // A return at its own moment was known before it: it does not undo what is said after.
        person.returnedAt = Samples.second(50)
        #expect(decide(effective: 50, person: person).parts?.person.isRescinded == true)
    }

    @Test("after an approval later than it and its margin it freezes nobody", arguments: [0, 60])
    func afterAnApproval(margin: Int) throws {
        let edge = 20 + Int64(margin)
        let doubtful = approved(at: edge)
        #expect(decide(effective: 20, margin: margin, questions: [doubtful]).parts?.person.isRescinded == true)
        #expect(
            decide(effective: 20, margin: margin, questions: [doubtful]).parts?.ended.first?.question.state == .revoked)
        let later = approved(at: edge + 1)
        #expect(decide(effective: 20, margin: margin, questions: [later]) == .unchanged)
        let earlier = Samples.question(topic: .purchase(product: CallerID(trusted: "hat")))
            .approval(Samples.g1, at: Samples.second(5)).question
        let both = [later, try #require(earlier)]
        let (_, person, ended, _) = try #require(decide(effective: 20, margin: margin, questions: both).parts)
        #expect(!person.isRescinded && ended.map(\.question.id) == [earlier?.id])
    }

    @Test("two guardians, one of whom approved after it, no longer make a quorum of two")
    func halfOfTheQuorum() throws {
        var question = Samples.question(quorum: 2)
        question = try #require(question.approval(Samples.g1, at: Samples.second(10)).question)
        question = try #require(question.approval(Samples.g2, at: Samples.second(30)).question)
        let (_, person, ended, _) = try #require(decide(effective: 20, questions: [question]).parts)
        #expect(!person.isRescinded && ended.map(\.question.state) == [.revoked])
        question = Samples.question(quorum: 1)
        question = try #require(question.approval(Samples.g1, at: Samples.second(10)).question)
        question = try #require(question.approval(Samples.g2, at: Samples.second(30)).question)
        #expect(decide(effective: 20, questions: [question]) == .unchanged)
    }

    @Test("a later one than the one that holds moves the freeze; an earlier one does not; none is from the future")
    func several() throws {
        var person = Samples.person()
        person.rescindedAt = Samples.second(50)
        #expect(decide(effective: 40, person: person) == .unchanged)
        #expect(decide(effective: 60, person: person).parts?.person.rescindedAt == Samples.second(60))
        #expect(decide(effective: 500, now: 100).parts?.person.rescindedAt == Samples.second(100))
    }

    @Test("whatever order a rescission, a return and an approval are learnt in, who is frozen is the same")
    func orderOfArrival() throws {
        for (effective, returned) in [(Int64(10), Int64(20)), (20, 10)] {
            var frozen: Set<Bool> = []
            for returnFirst in [true, false] {
                var person = Samples.person()
                var rescissions: [Rescission] = []
                for isReturn in [returnFirst, !returnFirst] {
                    if isReturn {
                        let verdict = Reinstating.decide(
                            person: person, rescissions: rescissions, effective: Samples.second(returned),
                            now: Samples.second(100))
                        person = try #require(verdict.person)
                    } else if let parts = decide(effective: effective, person: person).parts {
                        person = parts.person
                        rescissions.append(parts.rescission)
                    }
                }
                frozen.insert(person.isRescinded)
            }
            #expect(frozen == [effective > returned])
        }
    }

    // MARK: The return

    @Test("a return ends the freeze and brings nothing back; a second one changes nothing")
    func reinstating() throws {
        let (rescission, person, _, _) = try #require(decide(questions: [approved(at: 10)]).parts)
        let verdict = Reinstating.decide(person: person, rescissions: [rescission], now: Samples.second(200))
        guard case .reinstated(let back, let ended) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(!back.isRescinded && back.returnedAt == Samples.second(200) && back.revision == person.revision + 1)
        #expect(ended.map(\.endedAt) == [Samples.second(200)])
        let again = Reinstating.decide(person: back, rescissions: ended, now: Samples.second(300))
        #expect(again.person?.revision == back.revision && again.person?.returnedAt == Samples.second(300))
        #expect(Reinstating.decide(person: nil, rescissions: [], now: Samples.start) == .refused(.unknownPerson))
        // One from before the rescission ends nothing, and the latest is what is remembered.
        let early = Reinstating.decide(
            person: person, rescissions: [rescission], effective: Samples.second(99), now: Samples.second(200))
        #expect(early.person?.isRescinded == true)
    }

    @Test("nobody unknown is rescinded")
    func unknown() {
        let request = RescissionRequest(scope: .person)
        #expect(
            Rescinding.decide(request, person: nil, change: nil, questions: [], earlier: 0, now: Samples.start)
                == .refused(.unknownPerson))
    }
}

extension RescindVerdict {
    /// What a rescission that was taken left.
    fileprivate var parts: (rescission: Rescission, person: Person, ended: [EarlierChange], voided: [Question])? {
        if case .rescinded(let rescission, let person, let ended, let voided) = self {
            (rescission, person, ended, voided)
        } else {
            nil
        }
    }
}

extension ReinstateVerdict {
    fileprivate var person: Person? {
        switch self {
        case .unchanged(let person), .reinstated(let person, ended: _): person
        case .refused: nil
        }
    }
}
