/// What came of a return.
package enum ReinstateVerdict: Sendable, Hashable {
    /// Nobody was frozen at that moment: no event. The person remembers that the household was there.
    case unchanged(Person)
    /// The person as they are now, and the rescissions whose freeze that ended.
    case reinstated(Person, ended: [Rescission])
    case refused(Refusal)
}
