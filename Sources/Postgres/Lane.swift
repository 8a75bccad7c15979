/// The items of one tenant. Owned by its mailbox and used under the mailbox's lock only.
final class Lane<Item: Sendable> {
    /// The items of one priority.
    struct Line {
        var queue = Queue<Waiting<Item>>()
        /// Items that wait; the queue also holds the empty places of those that left.
        var live = 0
        /// The lane stands in the rotation of this priority.
        var isInRotation = false

        mutating func append(_ entry: Waiting<Item>) {
            queue.append(entry)
            live += 1
        }

        /// Takes an item out of the middle.
        mutating func remove(_ sequence: UInt64) -> Item? {
            var (low, high) = (0, queue.count)
            while low < high {
                let middle = (low + high) / 2
                if (queue[middle]?.sequence ?? 0) < sequence { low = middle + 1 } else { high = middle }
            }
            guard low < queue.count, let entry = queue[low], entry.sequence == sequence, let item = entry.item else {
                return nil
            }
            queue[low]?.item = nil
            live -= 1
            trim()
            return item
        }

        /// Takes out every item whose deadline has passed and returns the earliest deadline of the rest.
        mutating func removeExpired(at now: MonotonicTime, into expired: inout [Item]) -> MonotonicTime {
            var earliest = MonotonicTime.never
            for offset in 0..<queue.count {
                guard let entry = queue[offset], let item = entry.item else { continue }
                if entry.deadline <= now {
                    expired.append(item)
                    queue[offset]?.item = nil
                    live -= 1
                } else {
                    earliest = min(earliest, entry.deadline)
                }
            }
            trim()
            return earliest
        }

        /// Takes from the front within the limits; always the first one, however costly.
        mutating func take(_ count: Int, _ cost: Int, at now: MonotonicTime, late: inout [Item]) -> [Waiting<Item>] {
            var taken: [Waiting<Item>] = []
            taken.reserveCapacity(min(count, live))
            var spent = 0
            while taken.count < count, let entry = queue.isEmpty ? nil : queue[0] {
                guard let item = entry.item else {
                    _ = queue.popFirst()
                    continue
                }
                let (sum, overflow) = spent.addingReportingOverflow(entry.cost)
                guard taken.isEmpty || (!overflow && sum <= cost) else { break }
                _ = queue.popFirst()
                live -= 1
                if entry.deadline <= now {
                    late.append(item)
                } else {
                    taken.append(entry)
                    spent = overflow ? .max : sum
                }
            }
            return taken
        }

        /// Empty places must not outgrow the items.
        private mutating func trim() {
            if queue.count > 2 * live + 64 { queue.keep { $0.item != nil } }
        }
    }

    let name: String
    var normal = Line()
    var low = Line()
    /// Batches of this lane that threads have in hand.
    var inHand = 0
    /// Normal items wait for company until then, when few wait.
    var gathersUntil = MonotonicTime(nanoseconds: 0)
    /// When the latest item came, or the latest batch of several was done with.
    var stirred = MonotonicTime(nanoseconds: 0)
    /// The lane stands among those that gather.
    var isGathering = false

    init(_ name: String) {
        self.name = name
    }

    var live: Int { normal.live + low.live }
}
