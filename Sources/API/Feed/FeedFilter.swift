import Consent
import Store

/// Which events of an app a reader wants; what is not given does not matter.
struct FeedFilter: Sendable {
    /// The person as the log knows them, so that the event of their erasure still passes.
    var personRef: Identifier?
    var question: Identifier?
    var types: Set<EventType>?
    /// What of it a guardian may know.
    var guardian: GuardianView?
    /// How the same is read from the database, types apart.
    var stored = EventFilter.all

    /// Asked of every event once, in order.
    func takes(_ item: FeedItem) -> Bool {
        if let guardian, !guardian.takes(item) { return false }
        return takesOfStored(item)
    }

    /// The same of what was read as `stored` says.
    func takesOfStored(_ item: FeedItem) -> Bool {
        if let personRef, item.personRef != personRef { return false }
        if let question, item.question != question { return false }
        return types?.contains(item.type) ?? true
    }
}
