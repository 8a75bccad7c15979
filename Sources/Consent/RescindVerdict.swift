/// What came of a rescission.
package enum RescindVerdict: Sendable, Hashable {
    /// It holds already, or there is nothing that it could end: no row, no event.
    case unchanged
    /// The rescission to keep, the person as they are now, the questions that ended, and those on which approvals were
    /// voided; questions in id order.
    case rescinded(Rescission, Person, ended: [EarlierChange], voided: [Question])
    case refused(Refusal)
}
