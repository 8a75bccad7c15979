import Consent
import Testing

@Suite struct CancellationTests {
    private let later = Samples.second(60)

    @Test(
        "the child's side and an admin may take back a pending question",
        arguments: [(Canceller.child, Resolution.Resolver.child), (.admin, .admin)])
    func cancel(canceller: Canceller, resolver: Resolution.Resolver) throws {
        let verdict = Samples.question().applying(.cancel(by: canceller, reason: "systemError"), at: later)
        let question = try #require(verdict.question)
        #expect(verdict.event == .questionCancelled)
        #expect(verdict.answer == nil)
        #expect(question.state == .cancelled)
        #expect(question.revision == 2)
        #expect(question.updatedAt == later)
        #expect(question.resolution == Resolution(by: resolver, at: later, reason: "systemError"))
    }

    @Test("cancelled stays cancelled: no answer, no second cancellation, no expiration")
    func final() throws {
        let cancelled = try #require(Samples.question().applying(.cancel(by: .child, reason: nil), at: later).question)
        for now in [later, Samples.week] {
            #expect(cancelled.approval(Samples.g1, at: now) == .refused(.questionCancelled(cancelled)))
            #expect(cancelled.denial(Samples.g1, at: now) == .refused(.questionCancelled(cancelled)))
            #expect(cancelled.applying(.cancel(by: .admin, reason: "again"), at: now) == .unchanged)
            #expect(cancelled.applying(.deadline, at: now) == .unchanged)
            #expect(cancelled.applying(.supersede(by: Samples.ref), at: now) == .unchanged)
            #expect(cancelled.voidingApproval(of: Samples.g1, at: now) == nil)
        }
    }

    @Test("what expired cannot be cancelled, swept or not")
    func expired() {
        let question = Samples.question()
        let last = Samples.week.adding(microseconds: -1)
        #expect(question.applying(.cancel(by: .child, reason: nil), at: last).event == .questionCancelled)
        #expect(
            question.applying(.cancel(by: .child, reason: nil), at: Samples.week)
                == .refused(.questionExpired(question.effective(at: Samples.week))))
    }

    @Test("what is decided cannot be cancelled, before and past its expiration")
    func decided() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: later).question)
        let denied = try #require(Samples.question().denial(Samples.g1, at: later).question)
        let revoked = try #require(approved.denial(Samples.g1, at: later).question)
        for question in [approved, denied, revoked] {
            for now in [later, Samples.week] {
                #expect(
                    question.applying(.cancel(by: .child, reason: nil), at: now)
                        == .refused(.questionDecided(question)))
            }
        }
    }

    @Test("one approval of two does not keep the child from taking the question back")
    func halfAnswered() throws {
        let waiting = try #require(Samples.question(quorum: 2).approval(Samples.g1, at: later).question)
        let verdict = waiting.applying(.cancel(by: .child, reason: nil), at: later)
        #expect(verdict.question?.revision == 3)
        #expect(verdict.question?.latestAnswers.count == 1)
    }
}
