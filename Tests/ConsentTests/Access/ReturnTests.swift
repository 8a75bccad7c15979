import Consent
import Testing

/// Access through a rescission and the household's return.
@Suite struct ReturnTests {
    private static let minor = PersonFacts(
        ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
        duties: .features(["significantAppChangeRequiresParentalConsent"]))

    private func decision(
        _ asked: AccessCase.Asked, isRescinded: Bool = false, hasReturned: Bool = false
    ) -> AccessDecision {
        AccessCase(
            facts: Self.minor, policy: Policy(), asked: asked, isRescinded: isRescinded, hasReturned: hasReturned
        ).decision
    }

    @Test("while consent is taken back the app is blocked, and what it ended reads revoked")
    func taken() {
        for hasReturned in [false, true] {
            let decision = decision(.rescinded, isRescinded: true, hasReturned: hasReturned)
            #expect(decision.phase == .blocked && decision.reason == .consentRescinded && decision.blocked == .app)
            #expect(decision.changes.map(\.status) == [.revoked])
        }
    }

    @Test("after the return what it ended is to be asked again; what a guardian took back stays taken back")
    func back() {
        let ended = decision(.rescinded, hasReturned: true)
        #expect(ended.phase == .askGuardian && ended.reason == nil && ended.blocked == .features(["video"]))
        #expect(ended.changes == [ChangeAccess(change: Samples.changeID, status: .required)])
        let revoked = decision(.revoked, hasReturned: true)
        #expect(revoked.phase == .blocked && revoked.reason == .guardianRevoked)
        #expect(revoked.changes.map(\.status) == [.revoked])
    }

    @Test("where one change alone was taken back, nobody has to return: it reads revoked until it is asked again")
    func oneChange() {
        let decision = decision(.rescinded)
        #expect(decision.phase == .blocked && decision.reason == .guardianRevoked)
        #expect(decision.blocked == .features(["video"]))
    }
}
