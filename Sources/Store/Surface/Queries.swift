package import Consent

/// Which questions a list or a count takes; every given member must fit.
package struct QuestionFilter: Sendable, Hashable {
    /// The effective state: an overdue question is expired.
    package var state: QuestionState?
    package var person: CallerID?
    /// Questions of the persons this guardian is linked to, in every state.
    package var guardian: CallerID?
    package var topic: Topic.Kind?
    package var change: CallerID?
    package var expiringBefore: Instant?
    package var createdAfter: Instant?

    package init(
        state: QuestionState? = nil, person: CallerID? = nil, guardian: CallerID? = nil, topic: Topic.Kind? = nil,
        change: CallerID? = nil, expiringBefore: Instant? = nil, createdAfter: Instant? = nil
    ) {
        self.state = state
        self.person = person
        self.guardian = guardian
        self.topic = topic
        self.change = change
        self.expiringBefore = expiringBefore
        self.createdAfter = createdAfter
    }
}

/// Where a page of questions starts: after this position in the list's order.
///
/// A list of pending questions is ordered by (expiration, id), every other by (createdAt, id), which is the order of ids.
package struct QuestionPosition: Sendable, Hashable {
    /// Set exactly in lists of pending questions.
    package let expiration: Instant?
    package let id: Identifier

    package init(expiration: Instant?, id: Identifier) {
        self.expiration = expiration
        self.id = id
    }
}

/// Some rows of a list, and whether more follow.
package struct Page<Row: Sendable>: Sendable {
    package let rows: [Row]
    package let more: Bool

    package init(rows: [Row], more: Bool) {
        self.rows = rows
        self.more = more
    }
}

/// A page of questions, and where the next one starts: nil when nothing follows.
package struct QuestionPage: Sendable {
    package let rows: [QuestionRecord]
    package let next: QuestionPosition?

    package init(rows: [QuestionRecord], next: QuestionPosition?) {
        self.rows = rows
        self.next = next
    }
}

/// A page of the log: what to read next is after `last` (the position asked for, when the page is empty).
package struct EventPage: Sendable {
    package let feed: String
    package let events: [EventRecord]
    package let last: Int64
    /// The number of the last event that was taken away, 0 for none: who asks for what comes after an earlier one misses some.
    package let pruned: Int64

    package init(feed: String, events: [EventRecord], last: Int64, pruned: Int64 = 0) {
        self.feed = feed
        self.events = events
        self.last = last
        self.pruned = pruned
    }
}

/// How far an app's log has come.
package struct FeedHead: Sendable, Hashable {
    package let feed: String
    /// The number of the last event, 0 before the first.
    package let seq: Int64
    /// The number of the last event that was taken away, 0 for none.
    package let pruned: Int64

    package init(feed: String, seq: Int64, pruned: Int64) {
        self.feed = feed
        self.seq = seq
        self.pruned = pruned
    }
}

/// Whose events a read takes.
package enum EventFilter: Sendable, Hashable {
    case all
    case question(Identifier)
    case person(CallerID)
    /// Of the person with this ref, while there is one.
    case personRef(Identifier)
    /// What a guardian may know: of each person whom they are linked to now what came while they were linked, and whenever they
    /// were linked or unlinked, of one person or question alone where these are given.
    case guardian(CallerID, personRef: Identifier?, question: Identifier?)
}

/// Whom a guardian is linked to, as of a place in the app's log.
package struct GuardianStanding: Sendable {
    package let head: FeedHead
    /// By their refs.
    package let persons: Set<Identifier>

    package init(head: FeedHead, persons: Set<Identifier>) {
        self.head = head
        self.persons = persons
    }
}
