/// Whether an adult's acknowledgment of a change is taken.
package enum Acknowledging {
    /// Decides about a put acknowledgment; nil stands for what does not exist. One that was given stays, also when what
    /// is known of the person has changed since. None is taken while consent is taken back: nobody can have seen the change.
    package static func decide(
        person: Person?, change: Change?, existing: Acknowledgment?, policy: Policy, now: Instant
    ) -> AcknowledgeVerdict {
        guard let person else { return .refused(.unknownPerson) }
        guard let change else { return .refused(.unknownChange) }
        if let existing { return .unchanged(existing) }
        if person.isRescinded { return .refused(.consentRescinded(nil)) }
        if change.withdrawal != nil { return .refused(.changeWithdrawn(change)) }
        switch AgeGroup(person.facts.ageRange, adultAge: policy.adultAge(of: person.facts)) {
        case .minor: return .refused(.notAnAdult)
        case .unknown, .declined: return .refused(.ageUnknown)
        case .adultNotConfirmed where policy.adultNotConfirmed == .block: return .refused(.adultNotConfirmed)
        case .adultNotConfirmed, .adultConfirmed:
            return .created(Acknowledgment(personRef: person.ref, change: change.id, at: now))
        }
    }
}
