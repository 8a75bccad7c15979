import AppStore
import AppStoreTestSupport
import Testing

/// A notification on its way to a verdict; a test changes one thing and nothing else.
struct Bench: Sendable {
    /// Made once: keys take a moment to make.
    static let standard = Result { try TestChain() }

    var chain: TestChain
    var payload = TestPayload.notification()
    /// Changes the token before it is signed.
    var edit: @Sendable (inout TestToken) throws -> Void = { _ in }
    /// Changes the text after it was signed.
    var tamper: @Sendable (String) throws -> String = { $0 }
    var registrations = [TestPayload.registration]
    var now = TestChain.moment
    var dates = DateRule.signing

    init() throws {
        chain = try Self.standard.get()
    }

    func token() throws -> String {
        var token = TestToken(x5c: try chain.x5c(), payload: payload.json, key: chain.leaf.key)
        try edit(&token)
        return try tamper(try token.text())
    }

    /// Judged by a verifier that trusts the standard root, whatever became of this chain's own.
    func judge() throws -> NotificationJudgement {
        let verifier = AppStoreVerifier(roots: try Self.standard.get().roots(), dates: dates)
        return verifier.judge(notification: try token(), registrations: registrations, now: now)
    }

    func appTransaction() throws -> AppTransactionJudgement {
        let verifier = AppStoreVerifier(roots: try Self.standard.get().roots(), dates: dates)
        return verifier.judge(appTransaction: try token(), registrations: registrations, now: now)
    }

    /// Expects the change to be refused for the reason, and everything but the change to be accepted.
    static func expectRefusal(
        _ reason: TokenRefusal.Reason, _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
        prepare: (inout Bench) throws -> Void = { _ in }, _ change: (inout Bench) throws -> Void
    ) throws {
        var bench = try Bench()
        try prepare(&bench)
        let control = try bench.judge()
        #expect(control.isAccepted, "control of: \(what): \(control)", sourceLocation: sourceLocation)
        try change(&bench)
        let judgement = try bench.judge()
        #expect(judgement.refusal?.reason == reason, "\(what): \(judgement)", sourceLocation: sourceLocation)
    }

    /// Expects the change to be quarantined for the reason, and everything but the change to be accepted.
    static func expectObjection(
        _ reason: Objection.Reason, _ field: String?, expected: String? = nil, seen: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        prepare: (inout Bench) throws -> Void = { _ in }, _ change: (inout Bench) throws -> Void
    ) throws {
        var bench = try Bench()
        try prepare(&bench)
        let control = try bench.judge()
        #expect(control.isAccepted, "control: \(control)", sourceLocation: sourceLocation)
        try change(&bench)
        let judgement = try bench.judge()
        let objection = try #require(
            judgement.objection, "not quarantined: \(judgement)", sourceLocation: sourceLocation)
        #expect(objection.reason == reason, sourceLocation: sourceLocation)
        #expect(objection.field == field, sourceLocation: sourceLocation)
        #expect(objection.expected == expected, sourceLocation: sourceLocation)
        #expect(objection.seen == seen, sourceLocation: sourceLocation)
    }
}

extension NotificationJudgement {
    var isAccepted: Bool { accepted != nil }

    var accepted: AppStoreNotification? {
        if case .accepted(let notification) = self { notification } else { nil }
    }

    var refusal: TokenRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    var objection: Objection? {
        if case .quarantined(_, let objection) = self { objection } else { nil }
    }

    var record: NotificationRecord? {
        switch self {
        case .refused: nil
        case .quarantined(let record, _): record
        case .accepted(let notification): notification.record
        }
    }
}

extension AppTransactionJudgement {
    var accepted: AppTransaction? {
        if case .accepted(let transaction) = self { transaction } else { nil }
    }

    var refusal: TokenRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    var objection: Objection? {
        if case .unusable(let objection) = self { objection } else { nil }
    }
}
