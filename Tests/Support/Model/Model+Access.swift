import Consent
import Store

extension Model {
    /// What a person may do at a moment; nil where there is no such person.
    func access(_ id: CallerID, at now: Instant) -> AccessDecision? {
        guard let person = persons[id] else { return nil }
        let standing = changes.values.filter { $0.withdrawal == nil }.sorted { $0.id < $1.id }
        let isInEffect = { (change: Change) in change.settings.effectiveFrom.map { $0 <= now } ?? true }
        var asked: [CallerID: Question] = [:]
        for question in questions.values where question.personRef == person.ref {
            guard case .significantAppUpdate(let change) = question.topic else { continue }
            if asked[change].map({ $0.id < question.id }) ?? true { asked[change] = question }
        }
        return AccessDecision.decide(
            person.facts, isRescinded: person.isRescinded, hasReturned: person.hasReturned, policy: policy,
            changes: standing.filter(isInEffect).map { ChangeInEffect($0) },
            until: standing.filter { !isInEffect($0) }.compactMap(\.settings.effectiveFrom).min(),
            questions: asked.mapValues {
                QuestionBrief($0, returnedAt: person.returnedAt, rescissions: rescissions[person.ref] ?? [])
            },
            acknowledged: Set((acknowledgments[person.ref] ?? [:]).keys), now: now)
    }
}
