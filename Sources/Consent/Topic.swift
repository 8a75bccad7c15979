/// What a question is about.
package enum Topic: Sendable, Hashable {
    /// A registered significant change of the app.
    case significantAppUpdate(change: CallerID)
    /// Permission to communicate with a set of contact handles, each an opaque id of the caller's; never empty.
    case communication(handles: [CallerID])
    /// Ask to Buy: one product.
    case purchase(product: CallerID)
    /// Anything else, under a subject of the caller's. Not reusable: an approval serves once, as for a purchase.
    case custom(subject: CallerID, reusable: Bool)

    /// The name of the kind in the API and in the database.
    package enum Kind: String, Sendable, CaseIterable {
        case significantAppUpdate, communication, purchase, custom
    }

    package var kind: Kind {
        switch self {
        case .significantAppUpdate: .significantAppUpdate
        case .communication: .communication
        case .purchase: .purchase
        case .custom: .custom
        }
    }

    /// Text that is equal for two topics exactly when they ask the same thing; handles count as a set.
    ///
    /// Ids hold no control characters, so U+001F separates them without ambiguity. Equal means the same bytes: `==` on
    /// strings would take two ids for one that differ only in how an accent is composed.
    package var subject: String {
        switch self {
        case .significantAppUpdate(let change): return "change\u{1f}" + change.text
        case .purchase(let product): return "purchase\u{1f}" + product.text
        case .custom(let subject, _): return "custom\u{1f}" + subject.text
        case .communication(let handles):
            var text = "communication"
            for handle in Set(handles).sorted() { text += "\u{1f}" + handle.text }
            return text
        }
    }

    /// Whether an approval already given answers the same question asked again.
    package var approvalStands: Bool {
        switch self {
        case .significantAppUpdate, .communication: true
        case .purchase: false
        case .custom(_, let reusable): reusable
        }
    }
}
