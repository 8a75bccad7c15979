/// What a store's rescission comes to, once it is known whom it concerns.
package enum StoreRescinding {
    /// Decides about a notice that takes consent back; the same whether it is learnt of at once or long after.
    ///
    /// - Parameters:
    ///   - notification: a rescission that could be used.
    ///   - accounts: all of the person's.
    ///   - questions: as for `Rescinding`.
    ///   - approvedAt: when anything was last approved for the person, whatever became of it.
    package static func decide(
        _ notification: StoreNotification, person: Person, accounts: [RegisteredAccount], questions: [Question],
        earlier: Int, approvedAt: Instant?, policy: Policy, now: Instant
    ) -> (status: StoreNotification.Status, verdict: RescindVerdict) {
        let environment = notification.environment ?? .production
        // What is signed in the sandbox says nothing about production, where an account is somebody's own.
        let returned = accounts.lazy.filter { $0.account.environment == .production || environment == .sandbox }
            .compactMap(\.signedAt).max()
        let verdict = Rescinding.decide(
            RescissionRequest(
                scope: .person, source: RescissionSource(notification.store), effective: notification.effectiveAt,
                marginSeconds: policy.rescissionMarginSeconds,
                notice: Rescission.Notice(id: notification.id, environment: environment)),
            person: person, change: nil, questions: questions, earlier: earlier,
            signs: HouseholdSigns(returnedAt: returned, approvedAt: approvedAt), now: now)
        switch verdict {
        case .rescinded(let rescission, _, ended: _, voided: _) where rescission.freezes: return (.applied, verdict)
        case .rescinded, .unchanged, .refused: return (.outdated, verdict)
        }
    }
}
