import Consent
import Synchronization
import Testing

@testable import API

/// The table of allowances: apart from each other, bounded, and not to be shaken by a flood.
struct AllowancesTests {
    private let limit = RateLimit(trustedRequests: 2, seconds: 10)

    @Test func eachHasItsOwn() {
        let table = Allowances<Int>()
        for subject in 0..<100 {
            #expect(table.take(subject, limit, at: 0).remaining == 1)
            #expect(table.take(subject, limit, at: 0).remaining == 0)
            #expect(table.take(subject, limit, at: 0).isRefused)
        }
        #expect(table.count == 100)
        #expect(table.standing(7, limit, at: 0).remaining == 0)
        // To look is not to use, nor to become known.
        #expect(table.standing(100, limit, at: 0).remaining == 2 && table.count == 100)
    }

    @Test func aFloodResetsNobodyAndFillsNothing() {
        let table = Allowances<Int>(capacity: 64, shards: 4)
        for _ in 0..<2 { #expect(!table.take(-1, limit, at: 0).isRefused) }
        var taken = 0
        for stranger in 0..<10_000 where !table.take(stranger, limit, at: 1).isRefused { taken += 1 }
        #expect(table.count <= 64)
        // Those of the first who were known, and what all others share in four parts.
        #expect(taken <= 63 + 4 * 2)
        #expect(table.take(-1, limit, at: 2).isRefused)
        #expect(table.take(-1, limit, at: 4_999_999).isRefused)
        // Who is known keeps what is theirs through all of it.
        #expect(!table.take(-1, limit, at: 5_000_000).isRefused)
        #expect(table.take(-1, limit, at: 5_000_000).isRefused)
        // Those who are whole again make room for others.
        let later = Int64(60_000_000)
        for stranger in 20_000..<20_016 { #expect(table.take(stranger, limit, at: later).remaining == 1) }
        #expect(table.count <= 64)
    }

    /// Threads come in another order than they read the clock in; nobody loses a request to that.
    @Test func timeDoesNotGoBack() {
        let table = Allowances<Int>(capacity: 4, shards: 1)
        #expect(!table.take(1, limit, at: 1_000).isRefused)
        #expect(!table.take(1, limit, at: 999).isRefused)
        #expect(table.take(1, limit, at: 998).growsIn == 5_000_000)
    }

    @Test func roomIsLookedForNowAndThenOnly() {
        let table = Allowances<Int>(capacity: 1, shards: 1)
        let short = RateLimit(trustedRequests: 1, seconds: 1)
        #expect(!table.take(1, short, at: 0).isRefused)
        // No room: the shared allowance.
        #expect(!table.take(2, short, at: 999_999).isRefused)
        #expect(table.take(3, short, at: 999_999).isRefused)
        // The first is whole again, but the last look was just now.
        #expect(table.take(3, short, at: 1_050_000).isRefused)
        #expect(!table.take(3, short, at: 1_100_000).isRefused)
        #expect(table.count == 1 && table.standing(3, short, at: 1_100_000).remaining == 0)
    }

    @Test func manyThreadsGetNoMoreThanThereIs() async {
        let table = Allowances<Int>()
        let limit = RateLimit(trustedRequests: 1_000, seconds: 1)
        let taken = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var taken = [0, 0]
                    for number in 0..<4_000 where !table.take(number % 2, limit, at: 0).isRefused {
                        taken[number % 2] += 1
                    }
                    return taken
                }
            }
            return await group.reduce(into: [0, 0]) { sum, taken in
                sum[0] += taken[0]
                sum[1] += taken[1]
            }
        }
        #expect(taken == [1_000, 1_000])
    }
}
