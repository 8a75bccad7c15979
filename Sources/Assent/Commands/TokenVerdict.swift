import AppStore
import JSON

/// What a server would do with one signed text, whichever of the two kinds it takes it is.
enum TokenVerdict: Sendable {
    case refused(TokenRefusal)
    /// A notification would be kept in quarantine, an app transaction turned away.
    case unusable(Objection, type: String?)
    case taken(String)

    /// - Parameters:
    ///   - registration: the app it should be about; nil takes the token's own word, so that everything else is judged.
    ///   - now: microseconds since the Unix epoch.
    init(
        _ token: String, _ inspection: TokenInspection, _ verifier: AppStoreVerifier,
        _ registration: AppStoreRegistration?, now: Int64
    ) {
        let registrations = (registration ?? inspection.claim).map { [$0] } ?? []
        let notification = verifier.judge(notification: token, registrations: registrations, now: now)
        switch notification {
        case .refused(let refusal) where refusal.reason == .wrongKind:
            self = Self.appTransaction(verifier.judge(appTransaction: token, registrations: registrations, now: now))
        case .refused(let refusal): self = .refused(refusal)
        case .quarantined(let record, let objection): self = .unusable(objection, type: record.type)
        case .accepted(let notification):
            let transaction = notification.rescinded.map { ", app transaction \($0.appTransactionID)" } ?? ""
            self = .taken(
                "\(notification.type) about \(notification.bundleID), \(notification.environment.rawValue)\(transaction)"
            )
        }
    }

    private static func appTransaction(_ judgement: AppTransactionJudgement) -> TokenVerdict {
        switch judgement {
        case .refused(let refusal): .refused(refusal)
        case .unusable(let objection): .unusable(objection, type: nil)
        case .accepted(let transaction):
            .taken(
                "app transaction \(transaction.appTransactionID) of \(transaction.bundleID), "
                    + transaction.environment.rawValue)
        }
    }

    var isTaken: Bool { if case .taken = self { true } else { false } }

    /// One line of JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("verdict")
        switch self {
        case .refused(let refusal):
            writer.string("refused")
            writer.key("step")
            writer.string(refusal.reason.step.rawValue)
            writer.key("reason")
            writer.string(refusal.reason.rawValue)
            writer.key("detail")
            writer.string(refusal.detail)
        case .unusable(let objection, _):
            writer.string("unusable")
            writer.key("step")
            writer.string(VerificationStep.identity.rawValue)
            writer.key("reason")
            writer.string(objection.reason.rawValue)
            writer.key("detail")
            writer.string(objection.detail)
            Self.write("field", objection.field, to: &writer)
            Self.write("expected", objection.expected, to: &writer)
            Self.write("seen", objection.seen, to: &writer)
            Self.write("inner", objection.inner?.reason.rawValue, to: &writer)
        case .taken(let what):
            writer.string("taken")
            writer.key("detail")
            writer.string(what)
        }
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ name: StaticString, _ text: String?, to writer: inout JSONWriter) {
        guard let text else { return }
        writer.key(name)
        writer.string(text)
    }
}
