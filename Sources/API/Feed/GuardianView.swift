import Consent
import Store
import Synchronization

/// Whom a guardian is linked to as the log goes by: what a reader of theirs may be told of it. The mutex owns it; it is shown every
/// event once, in order, by whoever hands the log out.
final class GuardianView: Sendable {
    private struct State {
        /// Nil until it is known whom they are linked to.
        var persons: Set<Identifier>?
        /// What happened to their links before that.
        var early: [(seq: Int64, person: Identifier, isLinked: Bool)] = []
    }

    let guardian: CallerID
    private let state = Mutex(State())

    init(_ guardian: CallerID) {
        self.guardian = guardian
    }

    /// From here on it is known whom they are linked to; what was shown since is taken into account.
    func start(_ standing: GuardianStanding) {
        state.withLock { state in
            var persons = standing.persons
            for change in state.early where change.seq > standing.head.seq {
                if change.isLinked { persons.insert(change.person) } else { persons.remove(change.person) }
            }
            state = State(persons: persons)
        }
    }

    /// From here on it is not known any more whom they are linked to.
    func forget() { state.withLock { $0 = State() } }

    /// Whether they may know of the event: it is about somebody whom they are linked to, or about a link of theirs. While it is not
    /// known whom they are linked to the answer is yes, so it must be started before anything is shown by it.
    func takes(_ item: FeedItem) -> Bool {
        guard let person = item.personRef else { return false }
        let link = item.link.flatMap { $0.guardian == guardian ? $0.isLinked : nil }
        return state.withLock { state in
            guard var persons = state.persons else {
                if let link { state.early.append((item.seq, person, link)) }
                return true
            }
            let isTheirs = persons.contains(person) || link != nil
            switch link {
            case true?: persons.insert(person)
            case false?: persons.remove(person)
            // A ref never comes again.
            case nil: if item.type == .personErased { persons.remove(person) }
            }
            state.persons = persons
            return isTheirs
        }
    }
}
