package import Consent
import JSON

/// The body of `POST /v1/tokens`: whom a browser's token is to speak for, what it is to allow, and for how long.
package struct PostedToken: Sendable, Equatable {
    package static let longestLife = 3_600
    package static let usualLife = 600

    package let kind: TokenSubject.Kind
    /// The person's or the guardian's id.
    package let subject: CallerID
    /// At least one, each of those that the kind may have.
    package let actions: Set<TokenAction>
    package let expiresInSeconds: Int

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let person = body.callerID("person", .optional)
            let guardian = body.callerID("guardian", .optional)
            let isPersons = !body.isMissing("person"), isGuardians = !body.isMissing("guardian")
            if isPersons == isGuardians { body.refuse("must have a person or a guardian, and not both") }
            let kinds: [TokenSubject.Kind] =
                isPersons == isGuardians ? TokenSubject.Kind.allCases : isPersons ? [.person] : [.guardian]
            let actions = Self.actions(body, allowed: kinds)
            let life = body.integer("expiresInSeconds", .optional, in: 1...Self.longestLife) ?? Self.usualLife
            guard kinds.count == 1, let subject = person ?? guardian, let actions else { return nil }
            return PostedToken(kind: kinds[0], subject: subject, actions: actions, expiresInSeconds: life)
        }
    }

    private init(kind: TokenSubject.Kind, subject: CallerID, actions: Set<TokenAction>, expiresInSeconds: Int) {
        self.kind = kind
        self.subject = subject
        self.actions = actions
        self.expiresInSeconds = expiresInSeconds
    }

    private static func actions(_ body: ObjectReader, allowed kinds: [TokenSubject.Kind]) -> Set<TokenAction>? {
        let allowed = TokenAction.allCases.filter { action in kinds.contains { $0.actions.contains(action) } }
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        var seen: Set<TokenAction> = []
        let actions = body.array("actions", count: 1...TokenAction.allCases.count) { element -> TokenAction? in
            let action = element.string(mustBe: "must be one of \(names)") { text in
                allowed.first { $0.rawValue.utf8.elementsEqual(text.utf8) }
            }
            if let action, !seen.insert(action).inserted { element.refuse("must not repeat an earlier one") }
            return action
        }
        return actions.map { Set($0) }
    }
}
