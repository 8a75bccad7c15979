/// What something newly signed by a store ends: a freeze from before it was signed.
package enum StoreReturning {
    /// Decides about a registered account that was read from what the store signed at `signedAt`.
    ///
    /// What was signed in the sandbox ends only what was rescinded there. A freeze stays while a rescission holds that is
    /// not older.
    package static func decide(
        _ account: StoreAccount, signedAt: Instant, person: Person, rescissions: [Rescission], now: Instant
    ) -> ReinstateVerdict {
        let signedAt = min(signedAt, now)
        let holding = rescissions.filter { $0.freezes && $0.endedAt == nil }
        var ended = holding.filter { rescission in
            rescission.effectiveAt < signedAt
                && (account.environment == .production || rescission.notice?.environment == .sandbox)
        }
        guard !ended.isEmpty else { return .unchanged(person) }
        let numbers = Set(ended.map(\.number))
        let left = holding.lazy.filter { !numbers.contains($0.number) }.map(\.effectiveAt).max()
        for index in ended.indices { ended[index].endedAt = signedAt }
        var person = person
        if left == nil { person.returnedAt = max(person.returnedAt ?? signedAt, signedAt) }
        if person.rescindedAt != left {
            person.rescindedAt = left
            person.revision += 1
            person.updatedAt = max(now, person.updatedAt)
        }
        return .reinstated(person, ended: ended)
    }
}
