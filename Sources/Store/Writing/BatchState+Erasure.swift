import Consent

/// A person who is to be forgotten.
extension BatchState {
    /// What waits for an answer ends, since nobody can answer any more; then the person is gone, and the same id is
    /// somebody new, also to the commands that come later in the batch.
    mutating func erase(_ id: CallerID, by canceller: Canceller) -> Reply {
        guard let person = person(id) else { return refused(.unknownPerson) }
        for question in questions(of: person) {
            let input: QuestionInput =
                question.isOverdue(at: now) ? .deadline : .cancel(by: canceller, reason: nil)
            if case .changed(let next, let event, recorded: _) = question.applying(input, at: now) {
                store(next, event, answer: nil)
            }
        }
        writes.events.append(
            PendingEvent(type: .personErased, personRef: person.ref, question: nil, revision: nil, data: nil))
        let accounts = stores.keys(person)
        forget(person)
        writes.erase(person, accounts)
        return .done(.erased)
    }
}
