import AppStore

/// What the verifier finds in one signed text, step by step.
struct TokenExplanation: Sendable {
    let findings: [Finding]
    /// Whether a server of these settings would act on it.
    let isTaken: Bool

    /// - Parameters:
    ///   - registration: the app it should be about; nil leaves that unjudged.
    ///   - now: microseconds since the Unix epoch.
    init(_ token: String, _ verifier: AppStoreVerifier, _ registration: AppStoreRegistration?, now: Int64) {
        let registrations = registration.map { [$0] } ?? []
        let first = verifier.judge(notification: token, registrations: registrations, now: now)
        if case .refused(let refusal) = first, refusal.reason == .wrongKind {
            let second = verifier.judge(appTransaction: token, registrations: registrations, now: now)
            switch second {
            case .refused(let refusal): (findings, isTaken) = (Self.steps(upTo: refusal), false)
            case .unusable(let objection):
                findings = Self.genuine + Self.about(objection, registration)
                isTaken = false
            case .accepted(let transaction):
                findings =
                    Self.genuine + [
                        .fine(
                            "identity: an app transaction of \(transaction.bundleID), \(transaction.environment.rawValue)"
                        )
                    ]
                isTaken = true
            }
            return
        }
        switch first {
        case .refused(let refusal): (findings, isTaken) = (Self.steps(upTo: refusal), false)
        case .quarantined(let record, let objection):
            findings = Self.genuine + [.fine("kind: \(record.type ?? "no type")")] + Self.about(objection, registration)
            isTaken = false
        case .accepted(let notification):
            findings =
                Self.genuine + [
                    .fine("kind: \(notification.type)"),
                    .fine("identity: \(notification.bundleID), \(notification.environment.rawValue)"),
                ]
            isTaken = true
        }
    }

    /// The steps before whom it is about.
    private static let genuine = VerificationStep.allCases.filter { $0 != .identity }.map { Finding.fine($0.rawValue) }

    private static func steps(upTo refusal: TokenRefusal) -> [Finding] {
        VerificationStep.allCases.prefix { $0 != refusal.reason.step }.map { .fine($0.rawValue) }
            + [.bad("\(refusal.reason.step.rawValue): \(refusal.reason.rawValue): \(refusal.detail)")]
    }

    private static func about(_ objection: Objection, _ registration: AppStoreRegistration?) -> [Finding] {
        var sentence = "identity: \(objection.reason.rawValue): \(objection.detail)"
        if let inner = objection.inner { sentence += " (\(inner.reason.rawValue): \(inner.detail))" }
        if let field = objection.field {
            sentence += "; \(field)"
            if let expected = objection.expected { sentence += ", expected \(expected)" }
            if let seen = objection.seen { sentence += ", seen \(seen)" }
        }
        return [registration == nil ? .odd(sentence + "; no --bundle-id was given") : .bad(sentence)]
    }
}
