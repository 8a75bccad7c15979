import Consent

/// A choice of event types as a query names them.
enum EventTypes {
    /// Names with commas between them; one that ends in `.*` stands for all that begin with what comes before it.
    static func read(_ text: String) throws(Problem) -> Set<EventType> {
        var types: Set<EventType> = []
        for name in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let known = EventType.named(name)
            guard !known.isEmpty else {
                throw .parameter("type", "The value names types of events, such as question.approved or question.*")
            }
            types.formUnion(known)
        }
        return types
    }
}
