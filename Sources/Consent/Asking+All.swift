/// About which changes a person's guardians are asked when everything that is open is asked for.
extension Asking {
    /// Decides about a wish to ask for everything: exactly about the changes in effect that are not exempt, and only where
    /// `AccessDecision` would have a guardian decide about them, each as if it had been asked about alone.
    ///
    /// A question that waits or was approved stands, one that ended without a decision is asked anew, and one that was
    /// refused once the ask-again delay has passed; until then that change alone is refused. What would be refused of every
    /// change alike refuses the whole, so that a repeat under the same key can still succeed.
    ///
    /// - Parameters:
    ///   - person: nil where nobody is known under that id.
    ///   - changes: the app's changes, each once; those that are not in effect concern nobody.
    ///   - standing: by change, the newest question about the person and that change that was not superseded.
    ///   - random: 64 fresh random bits for each new question's id.
    package static func decideAll(
        _ request: AskAllRequest, person: Person?, changes: [Change], standing: [CallerID: Question], policy: Policy,
        now: Instant, random: () -> UInt64
    ) -> AskAllVerdict {
        guard let person else { return .refused(.unknownPerson) }
        if person.isRescinded { return .refused(.consentRescinded(nil)) }
        switch AgeGroup(person.facts.ageRange, adultAge: policy.adultAge(of: person.facts)) {
        case .adultConfirmed, .adultNotConfirmed: return .refused(.notAvailable)
        case .minor, .unknown, .declined: break
        }
        if let refusal = refusal(expiration: request.expiration, policy: policy, now: now) { return .refused(refusal) }
        let exemption = Exemption(person.facts.original, policy: policy)
        let open = changes.filter { $0.isInEffect(at: now) && !exemption.covers(ChangeInEffect($0)) }
        if open.isEmpty { return .asked([]) }
        switch Routing(person.facts, policy: policy) {
        case .guardian: break
        case .clear, .acknowledgment: return .asked([])
        case .blocked(let reason): return .refused(.blocked(reason))
        }
        var asked: [AskedChange] = []
        asked.reserveCapacity(open.count)
        for change in open {
            let verdict = decide(
                request.request(about: change.id), person: person, change: change, standing: standing[change.id],
                policy: policy, now: now, random: random())
            if case .refused(.quorumUnreachable(let links, let quorum)) = verdict {
                return .refused(.quorumUnreachable(links: links, quorum: quorum))
            }
            asked.append(AskedChange(change: change.id, verdict: verdict))
        }
        return .asked(asked)
    }
}
