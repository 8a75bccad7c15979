import Consent
import Glibc

extension Identifier {
    /// A new person's ref: a version 7 UUID of this host's time, so that the rows and index entries of persons who come at
    /// about the same time lie together; nothing is ever read off it.
    static func newRef(using random: inout BlockRandom) -> Identifier {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        return Identifier(createdAt: Instant(microseconds: microseconds), random: random.next())
    }
}
