import Consent
import Testing

@Suite struct AnsweringTests {
    private let later = Samples.second(60)
    private let latest = Samples.second(120)

    @Test("one approval approves where one is enough, and is recorded with the new revision")
    func approval() throws {
        let request = AnswerRequest(
            guardian: Samples.g1, kind: .approval, reason: "fine by me",
            verification: Verification(method: "card", reference: "tx-9"))
        let verdict = Samples.question().applying(.answer(request, mayAnswer: true), at: later)
        let question = try #require(verdict.question)
        #expect(question.state == .approved)
        #expect(question.everApproved)
        #expect(question.revision == 2)
        #expect(question.updatedAt == later)
        #expect(question.resolution == Resolution(by: .guardian(Samples.g1), at: later, reason: "fine by me"))
        #expect(verdict.event == .questionApproved)
        #expect(
            verdict.answer
                == GuardianAnswer(
                    guardian: Samples.g1, kind: .approval, reason: "fine by me",
                    verification: Verification(method: "card", reference: "tx-9"), at: later, revision: 2))
        #expect(question.latestAnswers == [try #require(verdict.answer)])
    }

    @Test("a denial denies, and a change of mind approves")
    func changeOfMind() throws {
        let denied = try #require(Samples.question().denial(Samples.g1, at: later, reason: "no").question)
        #expect(denied.state == .denied)
        #expect(denied.resolution == Resolution(by: .guardian(Samples.g1), at: later, reason: "no"))
        let approved = denied.approval(Samples.g1, at: latest)
        #expect(approved.question?.state == .approved)
        #expect(approved.event == .questionApproved)
        #expect(approved.question?.latestAnswers.count == 1)
    }

    @Test("taken back is revoked, which is not denied; given again it is approved")
    func revocation() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: later).question)
        let revoked = approved.denial(Samples.g1, at: latest, reason: "too late at night")
        #expect(revoked.event == .questionRevoked)
        #expect(revoked.question?.state == .revoked)
        #expect(
            revoked.question?.resolution
                == Resolution(by: .guardian(Samples.g1), at: latest, reason: "too late at night"))
        let again = try #require(revoked.question).approval(Samples.g1, at: latest)
        #expect(again.event == .questionApproved)
        #expect(again.question?.revision == 4)
    }

    @Test("what was ever approved is revoked by a denial, whatever state it is in")
    func everApproved() {
        var question = Samples.question(quorum: 2)
        question.everApproved = true
        #expect(question.denial(Samples.g1, at: later).event == .questionRevoked)
    }

    @Test("any denial outweighs every approval")
    func denialOutweighs() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: later).question)
        #expect(approved.denial(Samples.g2, at: latest).question?.state == .revoked)
        let denied = try #require(Samples.question().denial(Samples.g1, at: later).question)
        let still = denied.approval(Samples.g2, at: latest)
        #expect(still.question?.state == .denied)
        #expect(still.event == .questionAnswered)
    }

    @Test("an answer that changes no state is recorded and leaves the resolution")
    func answered() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: later, reason: "first").question)
        let verdict = approved.approval(Samples.g2, at: latest, reason: "second")
        #expect(verdict.event == .questionAnswered)
        #expect(verdict.question?.revision == 3)
        #expect(verdict.question?.resolution == approved.resolution)
        #expect(verdict.question?.updatedAt == latest)
        #expect(verdict.answer?.revision == 3)
        #expect(verdict.question?.latestAnswers.map(\.guardian) == [Samples.g1, Samples.g2])
    }

    @Test("two must approve where two are asked for")
    func quorum() throws {
        let one = Samples.question(quorum: 2).approval(Samples.g1, at: later)
        #expect(one.event == .questionAnswered)
        #expect(one.question?.state == .pending)
        #expect(one.question?.resolution == nil)
        let two = try #require(one.question).approval(Samples.g2, at: latest)
        #expect(two.event == .questionApproved)
        #expect(two.question?.resolution?.by == .guardian(Samples.g2))
    }

    @Test("a denial taken back where two must approve is pending again, without a resolution")
    func backToPending() throws {
        let denied = try #require(Samples.question(quorum: 2).denial(Samples.g1, at: later).question)
        let verdict = denied.approval(Samples.g1, at: latest)
        #expect(verdict.event == .questionPending)
        #expect(verdict.question?.state == .pending)
        #expect(verdict.question?.resolution == nil)
        #expect(verdict.question?.revision == 3)
    }

    @Test("the same latest answer again changes nothing", arguments: [AnswerKind.approval, .denial])
    func repeated(kind: AnswerKind) throws {
        let input = QuestionInput.answer(AnswerRequest(guardian: Samples.g1, kind: kind), mayAnswer: true)
        let question = try #require(Samples.question().applying(input, at: later).question)
        #expect(question.applying(input, at: latest) == .unchanged)
        let other = QuestionInput.answer(
            AnswerRequest(guardian: Samples.g1, kind: kind, reason: "another reason"), mayAnswer: true)
        #expect(question.applying(other, at: latest) == .unchanged)
        #expect(question.applying(input, at: Samples.week) == .unchanged, "also past the expiration")
    }

    @Test("the same answer again while two are asked for changes nothing either")
    func repeatedWhilePending() throws {
        let waiting = try #require(Samples.question(quorum: 2).approval(Samples.g1, at: later).question)
        #expect(waiting.approval(Samples.g1, at: latest) == .unchanged)
        let back = try #require(waiting.denial(Samples.g1, at: latest).question)
        #expect(back.approval(Samples.g1, at: latest).event == .questionPending)
    }

    @Test("whether the guardian may answer is asked before anything else")
    func notLinked() throws {
        let question = Samples.question()
        let cancelled = try #require(question.applying(.cancel(by: .child, reason: nil), at: later).question)
        let approved = try #require(question.approval(Samples.g1, at: later).question)
        for other in [question, cancelled, approved] {
            #expect(other.approval(Samples.g1, at: latest, mayAnswer: false) == .refused(.guardianNotLinked))
            #expect(other.denial(Samples.g1, at: Samples.week, mayAnswer: false) == .refused(.guardianNotLinked))
        }
    }

    @Test("a guardian is known by bytes, not by canonical equivalence")
    func guardiansAreBytes() throws {
        let composed = CallerID(trusted: "Andr\u{e9}")
        let decomposed = CallerID(trusted: "Andre\u{301}")
        let one = try #require(Samples.question(quorum: 2).approval(composed, at: later).question)
        #expect(one.approval(decomposed, at: latest).question?.state == .approved)
    }

    @Test("an answer to a rescinded question is refused for good")
    func rescinded() {
        var question = Samples.question()
        question.state = .revoked
        question.everApproved = true
        question.resolution = Resolution(by: .rescission, at: later, reason: nil)
        #expect(question.approval(Samples.g1, at: latest) == .refused(.consentRescinded(question)))
        #expect(question.denial(Samples.g1, at: latest) == .refused(.consentRescinded(question)))
        #expect(question.approval(Samples.g1, at: Samples.week) == .refused(.consentRescinded(question)))
        #expect(question.allowedActions(at: latest).isEmpty)
    }

    @Test("a clock set back puts no change before the one it follows")
    func clockSetBack() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: latest).question)
        let verdict = approved.denial(Samples.g1, at: later)
        #expect(verdict.answer?.at == latest)
        #expect(verdict.question?.updatedAt == latest)
        #expect(verdict.question?.resolution?.at == latest)
    }
}
