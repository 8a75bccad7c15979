import Consent
import Testing

/// A question is told of once, while it waits and its end is near.
@Suite struct RemindingTests {
    private static let day = 86_400
    /// A week after it was asked, the question expires.
    private let question = Samples.question()
    private let due = Samples.week.adding(seconds: -86_400)

    @Test("from the moment on that is so long before the expiration, until the expiration")
    func window() {
        let moments: [(Instant, Bool)] = [
            (due.adding(microseconds: -1), false), (due, true), (due.adding(seconds: 3_600), true),
            (Samples.week.adding(microseconds: -1), true), (Samples.week, false),
            (Samples.week.adding(seconds: 1), false),
        ]
        for (now, isDue) in moments {
            let verdict = question.applying(.remind(seconds: Self.day), at: now)
            guard isDue else {
                #expect(verdict == .unchanged)
                continue
            }
            #expect(verdict.event == .questionExpiring && verdict.answer == nil)
            var expected = question
            expected.remindedAt = now
            expected.updatedAt = now
            #expect(verdict.question == expected)
        }
    }

    @Test("once, whatever happened since")
    func once() throws {
        let reminded = try #require(question.applying(.remind(seconds: Self.day), at: due).question)
        let later = due.adding(seconds: 60)
        #expect(reminded.applying(.remind(seconds: Self.day), at: later) == .unchanged)
        let denied = try #require(reminded.denial(Samples.g1, at: later).question)
        #expect(denied.remindedAt == due && denied.revision == 2)
        #expect(denied.applying(.remind(seconds: Self.day), at: later) == .unchanged)
    }

    @Test("only what waits")
    func states() throws {
        let approved = try #require(question.approval(Samples.g1, at: due).question)
        let denied = try #require(question.denial(Samples.g1, at: due).question)
        let cancelled = try #require(question.applying(.cancel(by: .child, reason: nil), at: due).question)
        let expired = try #require(question.applying(.deadline, at: Samples.week).question)
        for other in [approved, denied, cancelled, expired] {
            for now in [due, Samples.week.adding(seconds: 1)] {
                #expect(other.applying(.remind(seconds: Self.day), at: now) == .unchanged)
            }
        }
    }

    @Test("never where the policy says so, or the question lives no longer than the reminder's time")
    func shortLives() {
        for seconds in [0, -1, 604_800, 604_801, .max] {
            for now in [Samples.start, due, Samples.week.adding(microseconds: -1)] {
                #expect(question.applying(.remind(seconds: seconds), at: now) == .unchanged)
            }
        }
        #expect(question.applying(.remind(seconds: 604_799), at: Samples.second(1)).event == .questionExpiring)
    }

    @Test("an answer after it is a change like any other")
    func answers() throws {
        let reminded = try #require(question.applying(.remind(seconds: Self.day), at: due).question)
        let approved = try #require(reminded.approval(Samples.g1, at: due.adding(seconds: 1)).question)
        #expect(approved.state == .approved && approved.revision == 2 && approved.remindedAt == due)
    }
}
