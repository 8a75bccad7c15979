import Consent

/// The requests that wait on one app's log, found by what they wait for: an event wakes those it concerns and no others.
struct WaiterIndex {
    private typealias Group = [Int: Waiter]

    private var byQuestion: [Identifier: Group] = [:]
    private var byPerson: [Identifier: Group] = [:]
    private var ofLog: Group = [:]

    mutating func add(_ waiter: Waiter) {
        switch waiter.interest {
        case .question(let id): byQuestion[id, default: [:]][waiter.number] = waiter
        case .access(let ref): byPerson[ref, default: [:]][waiter.number] = waiter
        case .log: ofLog[waiter.number] = waiter
        }
    }

    mutating func remove(_ waiter: Waiter) {
        switch waiter.interest {
        case .question(let id):
            byQuestion[id]?[waiter.number] = nil
            if byQuestion[id]?.isEmpty == true { byQuestion[id] = nil }
        case .access(let ref):
            byPerson[ref]?[waiter.number] = nil
            if byPerson[ref]?.isEmpty == true { byPerson[ref] = nil }
        case .log: ofLog[waiter.number] = nil
        }
    }

    var isEmpty: Bool { byQuestion.isEmpty && byPerson.isEmpty && ofLog.isEmpty }

    var all: [Waiter] {
        byQuestion.values.flatMap(\.values) + byPerson.values.flatMap(\.values) + ofLog.values
    }

    /// Those whom any of the events concerns. What is about no person, such as a change or the app's policy, may alter every
    /// person's access; how often it did does not matter.
    func waiting(for items: [FeedItem]) -> [Waiter] {
        var found: Group = [:]
        if items.contains(where: { $0.personRef == nil && $0.type.mayAlterAccess }) {
            for group in byPerson.values { found.merge(group) { $1 } }
        }
        for item in items {
            if let question = item.question, let group = byQuestion[question] { found.merge(group) { $1 } }
            if let ref = item.personRef, let group = byPerson[ref] { found.merge(group) { $1 } }
            for (number, waiter) in ofLog {
                if case .log(let filter) = waiter.interest, filter.takes(item) { found[number] = waiter }
            }
        }
        return Array(found.values)
    }
}

extension EventType {
    /// Whether everybody's access may be another after it: keys, and notices that wait, decide nothing.
    fileprivate var mayAlterAccess: Bool {
        switch self {
        case .keyCreated, .keyRevoked, .notificationReceived, .notificationQuarantined, .notificationUnattributed: false
        default: true
        }
    }
}
