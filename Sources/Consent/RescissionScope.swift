/// How far consent is taken back.
package enum RescissionScope: Sendable, Hashable {
    /// For using the app at all: the person is frozen until a return.
    case person
    /// For one change: what was asked about it ends, and nothing else.
    case change(CallerID)

    /// The name of the kind in the API and in the database.
    package enum Kind: String, Sendable, CaseIterable { case person, change }

    package var kind: Kind {
        switch self {
        case .person: .person
        case .change: .change
        }
    }

    /// The change that alone is meant; nil for the person.
    package var change: CallerID? {
        switch self {
        case .person: nil
        case .change(let change): change
        }
    }

    /// Whether a question on that topic is meant.
    func covers(_ topic: Topic) -> Bool {
        switch (self, topic) {
        case (.person, _): true
        case (.change(let change), .significantAppUpdate(let asked)): change == asked
        case (.change, .communication), (.change, .purchase), (.change, .custom): false
        }
    }
}
