package import Consent
import JSON

/// The body of `POST /v1/persons/{person}/answers`: what one guardian says to questions they have seen.
package struct PostedAnswers: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let question: Identifier
        package let answer: AnswerRequest
        /// The revision the guardian has seen.
        package let revision: Int
    }

    package static let most = 100

    /// 1 to 100, no question twice.
    package let items: [Item]

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let guardian = body.callerID("guardian")
            let verification = body.verification()
            var seen: Set<Identifier> = []
            let drafts = body.array("answers", count: 1...PostedAnswers.most) { element in
                element.object { Draft($0, seen: &seen) }
            }
            guard let guardian, let drafts else { return nil }
            return PostedAnswers(items: drafts.map { $0.item(guardian, verification) })
        }
    }

    private init(items: [Item]) {
        self.items = items
    }
}

/// An item before it is known whose it is.
private struct Draft {
    let question: Identifier
    let kind: AnswerKind
    let revision: Int
    let reason: String?

    init?(_ item: ObjectReader, seen: inout Set<Identifier>) {
        let question = item.string("question", mustBe: "must be a question's id, a UUID") { Identifier($0) }
        if let question, !seen.insert(question).inserted {
            item.refuse("question", "must not be a question that an earlier item answers")
        }
        let kind = item.enumeration("answer", of: AnswerKind.self)
        let revision = item.integer("revision", in: 1...Int.max)
        let reason = item.reason()
        guard let question, let kind, let revision else { return nil }
        self.question = question
        self.kind = kind
        self.revision = revision
        self.reason = reason
    }

    func item(_ guardian: CallerID, _ verification: Verification?) -> PostedAnswers.Item {
        PostedAnswers.Item(
            question: question,
            answer: AnswerRequest(guardian: guardian, kind: kind, reason: reason, verification: verification),
            revision: revision)
    }
}
