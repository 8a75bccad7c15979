package import Consent
import JSON

extension AnswerRequest {
    /// Reads the body of `POST /v1/questions/{id}/answers`.
    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let guardian = body.callerID("guardian")
            let kind = body.enumeration("answer", of: AnswerKind.self)
            let reason = body.reason()
            let verification = body.verification()
            guard let guardian, let kind else { return nil }
            return AnswerRequest(guardian: guardian, kind: kind, reason: reason, verification: verification)
        }
    }
}
