import Consent
import Testing

@Suite struct UnlinkingTests {
    private let later = Samples.second(60)
    private let latest = Samples.second(120)

    @Test("an approval on a pending question is voided; the question itself does not change")
    func voids() throws {
        let waiting = try #require(Samples.question(quorum: 2).approval(Samples.g1, at: later).question)
        let voided = try #require(waiting.voidingApproval(of: Samples.g1, at: latest))
        #expect(voided.latestAnswers.map(\.voidedAt) == [latest])
        #expect(voided.revision == waiting.revision)
        #expect(voided.updatedAt == waiting.updatedAt)
        #expect(voided.state == .pending)
        #expect(voided.voidingApproval(of: Samples.g1, at: latest) == nil, "voided once")
        let other = voided.approval(Samples.g2, at: latest)
        #expect(other.event == .questionAnswered, "a voided approval is no longer counted")
    }

    @Test("only the guardian's own approval is voided")
    func others() throws {
        let waiting = try #require(Samples.question(quorum: 3).approval(Samples.g1, at: later).question)
        let two = try #require(waiting.approval(Samples.g2, at: later).question)
        let voided = try #require(two.voidingApproval(of: Samples.g1, at: latest))
        #expect(voided.latestAnswers.map(\.voidedAt) == [latest, nil])
        #expect(two.voidingApproval(of: Samples.g3, at: latest) == nil)
    }

    @Test("linked again, the guardian may approve again, and it is no repetition")
    func linkedAgain() throws {
        let waiting = try #require(Samples.question(quorum: 2).approval(Samples.g1, at: later).question)
        let voided = try #require(waiting.voidingApproval(of: Samples.g1, at: latest))
        let again = voided.approval(Samples.g1, at: latest)
        #expect(again.event == .questionAnswered)
        #expect(again.question?.revision == 3)
        #expect(again.question?.latestAnswers.map(\.voidedAt) == [nil])
        #expect(try #require(again.question).approval(Samples.g2, at: latest).event == .questionApproved)
    }

    @Test("approvals counted on a decided question keep counting")
    func decided() throws {
        let question = Samples.question(quorum: 2)
        let waiting = try #require(question.approval(Samples.g1, at: later).question)
        let approved = try #require(waiting.approval(Samples.g2, at: later).question)
        let denied = try #require(waiting.denial(Samples.g2, at: later).question)
        #expect(approved.voidingApproval(of: Samples.g1, at: latest) == nil)
        #expect(denied.voidingApproval(of: Samples.g1, at: latest) == nil)
        #expect(denied.voidingApproval(of: Samples.g2, at: latest) == nil)
        #expect(denied.approval(Samples.g2, at: latest).event == .questionApproved)
    }

    @Test("nothing is voided on a question whose expiration has passed")
    func overdue() throws {
        let waiting = try #require(Samples.question(quorum: 2).approval(Samples.g1, at: later).question)
        #expect(waiting.voidingApproval(of: Samples.g1, at: Samples.week.adding(microseconds: -1)) != nil)
        #expect(waiting.voidingApproval(of: Samples.g1, at: Samples.week) == nil)
    }

    @Test("a clock set back voids no approval before it was given")
    func clockSetBack() throws {
        let waiting = try #require(Samples.question(quorum: 2).approval(Samples.g1, at: latest).question)
        #expect(waiting.voidingApproval(of: Samples.g1, at: later)?.latestAnswers.map(\.voidedAt) == [latest])
    }
}
