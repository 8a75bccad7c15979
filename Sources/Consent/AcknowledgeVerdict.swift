/// What came of an acknowledgment.
package enum AcknowledgeVerdict: Sendable, Hashable {
    /// It was given before: no row, no event.
    case unchanged(Acknowledgment)
    case created(Acknowledgment)
    case refused(Refusal)
}
