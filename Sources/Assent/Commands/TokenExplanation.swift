import AppStore
import JSON

/// What the verifier finds in one signed text, for a person: what it says of itself, then step by step what holds.
struct TokenExplanation: Sendable {
    /// The token's own word, one line each.
    let claims: [String]
    let findings: [Finding]

    /// - Parameter isJudgedByItself: whether whom it is about was taken from the token.
    init(_ inspection: TokenInspection, _ verdict: TokenVerdict, isJudgedByItself: Bool) {
        claims = Self.words(of: inspection)
        switch verdict {
        case .refused(let refusal):
            let steps = VerificationStep.allCases
            let failed = refusal.reason.step
            findings =
                steps.prefix { $0 != failed }.map { .fine($0.rawValue) }
                + [.bad("\(failed.rawValue): \(refusal.reason.rawValue): \(refusal.detail)")]
                + steps.drop { $0 != failed }.dropFirst().map { .odd("\($0.rawValue): not reached") }
        case .unusable(let objection, let type):
            findings = Self.genuine + [.bad("identity: " + (type.map { "\($0): " } ?? "") + Self.sentence(objection))]
        case .taken(let what):
            findings =
                Self.genuine + [.fine("identity: \(what)")]
                + (isJudgedByItself
                    ? [.odd("identity: by its own word; --bundle-id says whom it should be about")] : [])
        }
    }

    /// The steps before whom it is about.
    private static let genuine = VerificationStep.allCases.filter { $0 != .identity }.map { Finding.fine($0.rawValue) }

    private static func words(of inspection: TokenInspection) -> [String] {
        var lines = [
            "kind         \(inspection.kind ?? "unreadable")", "algorithm    \(inspection.algorithm ?? "none")",
        ]
        for (place, certificate) in inspection.certificates.enumerated() {
            let name = ["leaf", "intermediate", "root, ignored"]
            let label = place < name.count ? name[place] : "too many"
            guard let certificate else {
                lines.append("certificate  \(label): unreadable")
                continue
            }
            lines += [
                "certificate  \(label): \(certificate.subject)", "  issuer     \(certificate.issuer)",
                "  valid      \(RFC3339.write(certificate.validity.lowerBound)) until "
                    + RFC3339.write(certificate.validity.upperBound),
                "  key        \(certificate.key)", "  SHA-256    \(certificate.fingerprint)",
            ]
        }
        return lines
    }

    private static func sentence(_ objection: Objection) -> String {
        var sentence = "\(objection.reason.rawValue): \(objection.detail)"
        if let field = objection.field {
            sentence += " (\(field)"
            if let expected = objection.expected { sentence += ", expected \(expected)" }
            if let seen = objection.seen { sentence += ", seen \(seen)" }
            sentence += ")"
        }
        return sentence
    }
}
