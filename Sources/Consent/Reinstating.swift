/// What a household's return ends: a freeze, and nothing else. What was approved before stays void.
package enum Reinstating {
    /// Decides about a return; it counts from `effective`, or from now where that is nil.
    ///
    /// - Parameter rescissions: those of the person that are known.
    package static func decide(
        person: Person?, rescissions: [Rescission], effective: Instant? = nil, now: Instant
    ) -> ReinstateVerdict {
        guard var person else { return .refused(.unknownPerson) }
        let effective = min(effective ?? now, now)
        person.returnedAt = max(person.returnedAt ?? effective, effective)
        // A return at the very moment of the rescission was told after it.
        guard let rescindedAt = person.rescindedAt, effective >= rescindedAt else { return .unchanged(person) }
        person.rescindedAt = nil
        person.revision += 1
        person.updatedAt = max(now, person.updatedAt)
        var ended = rescissions.filter { $0.freezes && $0.endedAt == nil }
        for index in ended.indices { ended[index].endedAt = effective }
        return .reinstated(person, ended: ended)
    }
}
