import Consent
import Testing

/// The instants around an expiration: one microsecond before it, at it, and one after.
@Suite struct ExpirationTests {
    private let before = Samples.week.adding(microseconds: -1)
    private let at = Samples.week
    private let after = Samples.week.adding(microseconds: 1)
    private let silence = Resolution(by: .silence, at: Samples.week, reason: nil)

    @Test("pending until the last microsecond, expired at the expiration")
    func reading() {
        let question = Samples.question()
        #expect(question.effective(at: before) == question)
        for now in [at, after, Samples.second(100_000_000)] {
            let reading = question.effective(at: now)
            #expect(reading.state == .expired)
            #expect(reading.resolution == silence)
            #expect(reading.revision == question.revision)
            #expect(reading.updatedAt == question.updatedAt)
        }
    }

    @Test("the sweep stores what reading showed, whenever it comes")
    func sweep() throws {
        let question = Samples.question()
        #expect(question.applying(.deadline, at: before) == .unchanged)
        for now in [at, after, Samples.second(100_000_000)] {
            let verdict = question.applying(.deadline, at: now)
            #expect(verdict.event == .questionExpired)
            let swept = try #require(verdict.question)
            #expect(swept.state == .expired)
            #expect(swept.resolution == silence)
            #expect(swept.revision == 2)
            #expect(swept.updatedAt == now)
            #expect(verdict.answer == nil)
            #expect(swept.applying(.deadline, at: now) == .unchanged)
        }
    }

    @Test("the sweep leaves what was decided or cancelled")
    func sweepOfOthers() throws {
        let question = Samples.question()
        let approved = try #require(question.approval(Samples.g1, at: before).question)
        let denied = try #require(question.denial(Samples.g1, at: before).question)
        let revoked = try #require(approved.denial(Samples.g1, at: before).question)
        let cancelled = try #require(question.applying(.cancel(by: .child, reason: nil), at: before).question)
        for other in [approved, denied, revoked, cancelled] {
            #expect(other.applying(.deadline, at: after) == .unchanged)
            #expect(other.effective(at: after) == other)
        }
    }

    @Test("the last microsecond still takes an approval; the expiration takes none")
    func approval() {
        let question = Samples.question()
        #expect(question.approval(Samples.g1, at: before).event == .questionApproved)
        for now in [at, after] {
            #expect(question.approval(Samples.g1, at: now) == .refused(.questionExpired(question.effective(at: now))))
            #expect(question.denial(Samples.g1, at: now) == .refused(.questionExpired(question.effective(at: now))))
        }
    }

    @Test("refusals have no deadline: an approval may be withdrawn at any time, by any guardian who may answer")
    func withdrawal() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: before).question)
        for (guardian, now) in [(Samples.g1, at), (Samples.g2, after)] {
            let verdict = approved.denial(guardian, at: now, reason: "no more")
            #expect(verdict.event == .questionRevoked)
            #expect(
                verdict.question?.resolution == Resolution(by: .guardian(guardian), at: now, reason: "no more"))
            let revoked = try #require(verdict.question)
            #expect(revoked.approval(guardian, at: now) == .refused(.questionExpired(revoked)))
            #expect(revoked.denial(guardian, at: now) == .unchanged)
            #expect(revoked.denial(Samples.g3, at: now) == .refused(.questionExpired(revoked)))
        }
    }

    @Test("past the expiration nothing else is taken of a decided question")
    func nothingElse() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: before).question)
        let denied = try #require(Samples.question().denial(Samples.g1, at: before).question)
        #expect(approved.approval(Samples.g2, at: at) == .refused(.questionExpired(approved)))
        #expect(denied.approval(Samples.g1, at: at) == .refused(.questionExpired(denied)))
        #expect(denied.denial(Samples.g2, at: at) == .refused(.questionExpired(denied)))
    }

    @Test("a stored expired question takes nothing")
    func stored() throws {
        let expired = try #require(Samples.question().applying(.deadline, at: at).question)
        #expect(expired.approval(Samples.g1, at: after) == .refused(.questionExpired(expired)))
        #expect(expired.denial(Samples.g1, at: after) == .refused(.questionExpired(expired)))
        #expect(
            expired.applying(.cancel(by: .admin, reason: nil), at: after) == .refused(.questionExpired(expired)))
        #expect(expired.applying(.supersede(by: Samples.ref), at: after) == .unchanged)
    }

    @Test("what is allowed, by state and side of the expiration")
    func allowedActions() throws {
        let question = Samples.question()
        let approved = try #require(question.approval(Samples.g1, at: before).question)
        let denied = try #require(question.denial(Samples.g1, at: before).question)
        let revoked = try #require(approved.denial(Samples.g1, at: before).question)
        let cancelled = try #require(question.applying(.cancel(by: .child, reason: nil), at: before).question)
        let expired = try #require(question.applying(.deadline, at: at).question)
        let rows: [(question: Question, before: [AllowedAction], at: [AllowedAction])] = [
            (question, [.approve, .deny, .cancel], []),
            (approved, [.deny], [.deny]),
            (denied, [.approve], []),
            (revoked, [.approve], []),
            (cancelled, [], []),
            (expired, [], []),
        ]
        for row in rows {
            #expect(row.question.allowedActions(at: before) == row.before, "\(row.question.state)")
            #expect(row.question.allowedActions(at: at) == row.at, "\(row.question.state)")
            #expect(row.question.effective(at: at).allowedActions(at: at) == row.at, "\(row.question.state)")
        }
    }
}
