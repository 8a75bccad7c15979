import Consent
import Testing

@Suite struct SupersedingTests {
    private let later = Samples.second(60)
    private let successor = Identifier(createdAt: Samples.second(120), random: 1)

    @Test("a refused question is superseded once, keeps its state and takes nothing more")
    func superseded() throws {
        let approved = try #require(Samples.question().approval(Samples.g1, at: later).question)
        let denied = try #require(Samples.question().denial(Samples.g1, at: later).question)
        let revoked = try #require(approved.denial(Samples.g1, at: later).question)
        for question in [denied, revoked] {
            let verdict = question.applying(.supersede(by: successor), at: later)
            let old = try #require(verdict.question)
            #expect(verdict.event == .questionSuperseded)
            #expect(old.supersededBy == successor)
            #expect(old.state == question.state)
            #expect(old.resolution == question.resolution)
            #expect(old.revision == question.revision + 1)
            #expect(old.allowedActions(at: later).isEmpty)
            for now in [later, Samples.week] {
                #expect(old.approval(Samples.g1, at: now) == .refused(.questionSuperseded(old)))
                #expect(old.denial(Samples.g1, at: now) == .refused(.questionSuperseded(old)))
                #expect(
                    old.applying(.cancel(by: .child, reason: nil), at: now) == .refused(.questionSuperseded(old)))
                #expect(old.applying(.deadline, at: now) == .unchanged)
            }
            #expect(old.applying(.supersede(by: successor), at: later) == .unchanged)
            #expect(old.applying(.supersede(by: Samples.ref), at: later) == .refused(.questionSuperseded(old)))
        }
    }

    @Test("what waits, stands or ended without a decision is not superseded")
    func others() throws {
        let question = Samples.question()
        let approved = try #require(question.approval(Samples.g1, at: later).question)
        let cancelled = try #require(question.applying(.cancel(by: .child, reason: nil), at: later).question)
        let expired = try #require(question.applying(.deadline, at: Samples.week).question)
        for other in [question, approved, cancelled, expired] {
            #expect(other.applying(.supersede(by: successor), at: Samples.week) == .unchanged)
        }
    }

    @Test("a rescinded question is superseded as any refused one")
    func rescinded() {
        var question = Samples.question()
        question.state = .revoked
        question.resolution = Resolution(by: .rescission, at: later, reason: nil)
        #expect(question.applying(.supersede(by: successor), at: later).event == .questionSuperseded)
    }
}
