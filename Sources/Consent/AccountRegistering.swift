/// What a store's id of a person adds to what is known of them.
package enum AccountRegistering {
    /// The account as registered; a repeat only ever adds, and what an older signature says changes nothing.
    ///
    /// - Parameter existing: the same account, where it is the person's already.
    package static func account(
        _ registration: AccountRegistration, existing: RegisteredAccount?, personRef: Identifier, now: Instant
    ) -> RegisteredAccount {
        var account =
            existing
            ?? RegisteredAccount(account: registration.account, personRef: personRef, registeredAt: now)
        if let signedAt = registration.signedAt.map({ min($0, now) }), signedAt >= account.signedAt ?? signedAt {
            account.signedAt = signedAt
            account.platform = registration.platform ?? account.platform
        }
        if let signals = registration.signals {
            account.signalsStatus = signals.status
            account.changeStatus = signals.changeStatus
        }
        return account
    }

    /// The person's facts with what the registration says of them.
    ///
    /// What a store signed replaces what was told. Of several accounts the original version counts that exempts from the
    /// least, and one from the sandbox, where it is always 1.0, never replaces one that is not.
    ///
    /// - Parameter others: the person's other accounts.
    package static func facts(
        _ registration: AccountRegistration, known facts: PersonFacts, others: [RegisteredAccount]
    ) -> PersonFacts {
        var facts = facts
        if let signals = registration.signals { facts.ageRange = signals.ageRange }
        guard let signed = registration.original else { return facts }
        guard let known = facts.original else {
            facts.original = signed
            return facts
        }
        if signed.environment != known.environment {
            if signed.environment == .production { facts.original = signed }
            return facts
        }
        let isOne = others.contains { $0.signedAt != nil && $0.account.environment == signed.environment }
        if !isOne || !known.exemptsFromLess(than: signed) { facts.original = signed }
        return facts
    }
}

extension OriginalVersion {
    /// Whether it is an earlier version of the same kind, or cannot be read, which exempts from nothing.
    fileprivate func exemptsFromLess(than other: OriginalVersion) -> Bool {
        guard let own = VersionNumber(value) else { return true }
        guard kind == other.kind, let others = VersionNumber(other.value) else { return false }
        return own < others
    }
}
