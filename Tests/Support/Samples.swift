package import Consent
package import Store

extension CallerID: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(trusted: text) }
}

/// Commands and values that many tests start from.
package enum Samples {
    package static let minor = PersonFacts(ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"))
    /// Whose guardian is asked about every change.
    package static let child = PersonFacts(
        ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
        duties: .features(["significantAppChangeRequiresParentalConsent"]))
    package static let adult = PersonFacts(ageRange: .range(lower: 18, upper: nil, declaration: "confirmed"))
    package static let unconfirmed = PersonFacts(ageRange: .range(lower: 18, upper: nil, declaration: "selfDeclared"))

    /// No member is the default.
    package static let unusualPolicy = Policy(
        defaultExpirationSeconds: 60, longestExpirationSeconds: 61, askAgainSeconds: 0, defaultQuorum: 2,
        requireGuardianLinks: true, adultNotConfirmed: .acknowledge, ageRangeDeclined: .clear,
        ageUnknown: .treatAsMinor, featuresUnavailable: .clear, featuresUnknown: .treatAsMinor,
        featuresUnsupported: .block, sandboxExempts: true, verificationMethods: ["card", "id\u{e9}"],
        regions: [
            RegionPolicy(region: "BR", duties: [.declaredAgeRangeRequired], selfConsentAge: nil),
            RegionPolicy(region: "US-TX", duties: [], selfConsentAge: 13),
        ], ageRatingOpensChange: true, reminderSeconds: 1, rescissionMarginSeconds: 2)

    package static let change = ChangeSettings(
        version: "2.0", build: "104", features: ["video"],
        descriptions: [
            LocalizedText(language: "de", text: "Neu: Videoanrufe."),
            LocalizedText(language: "en", text: "Adds video calling."),
        ])

    package static func ask(
        _ person: CallerID, _ subject: CallerID = "screen-time", reusable: Bool = true, expiration: Instant? = nil,
        quorum: Int? = nil
    ) -> Command {
        .ask(
            AskRequest(
                person: person, topic: .custom(subject: subject, reusable: reusable), description: "One more hour?",
                language: "en", expiration: expiration, quorum: quorum))
    }

    package static func approval(_ question: Identifier, _ guardian: CallerID = "g-1") -> Command {
        .answer(question: question, AnswerRequest(guardian: guardian, kind: .approval))
    }

    package static func denial(_ question: Identifier, _ guardian: CallerID = "g-1") -> Command {
        .answer(question: question, AnswerRequest(guardian: guardian, kind: .denial))
    }

    package static func key(_ key: String, _ fingerprint: UInt8 = 1, scope: String = "service") -> IdempotencyKey {
        IdempotencyKey(scope: scope, key: key, fingerprint: Array(repeating: fingerprint, count: 32))
    }
}
