/// How much may wait in front of a pool, and how much is taken at once.
package struct MailboxLimits: Sendable {
    /// Items that may wait in all lanes together.
    package var capacity = 8_192
    /// Items that may wait in one lane.
    package var laneCapacity = 4_096
    /// Items in one batch.
    package var batchCount = 64
    /// Low items in one batch: smaller, because normal items wait behind it.
    package var lowBatchCount = 32
    /// Sum of the costs in one batch; a single item may exceed it.
    package var batchCost = 1 << 20
    /// Batches of one lane in hand at the same time.
    package var laneConcurrency = Int.max
    /// Items that must wait in a lane for another batch to be taken beside one in hand: two small batches at once are
    /// slower than one after the other.
    package var besideCount = 1
    /// How long after a batch of several items what waits in its lane gathers, unless `gatheringCount` wait sooner: the
    /// commit of a batch costs the same for one item as for many. An item that comes alone never waits for others.
    package var gathering: Duration = .zero
    /// Nobody new for so long ends the gathering too: those who were answered and ask again at once are all there by then.
    package var gatheringPause: Duration = .seconds(3_600)
    /// So many items are worth a batch at once.
    package var gatheringCount = 12
    /// How often a thread lets others run before it takes fewer than `gatheringCount` items from a mailbox that was busy a moment
    /// ago: what those were about to hand in then comes along. Where nobody else wants to run it takes no time.
    package var yields = 0
    /// Low batches in hand at the same time, over all lanes.
    package var lowConcurrency = 1

    package init() {}
}
