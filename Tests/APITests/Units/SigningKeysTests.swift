import Consent
import Crypto
import Store
import Testing

@testable import API

/// When keys sign, are published and follow each other.
struct SigningKeysTests {
    private static let day: Int64 = 86_400

    private func stored(_ starts: [Int64], now: Int64) -> StoredSigningKeys {
        StoredSigningKeys(
            keys: starts.enumerated().map { number, start in
                StoredSigningKey(
                    id: Identifier(high: 0, low: UInt64(number)), publicPoint: [], sealedKey: [],
                    createdAt: Instant(microseconds: 0), signsFrom: Instant(microseconds: start * 1_000_000))
            }, now: Instant(microseconds: now * 1_000_000))
    }

    private func state(_ starts: [Int64], now: Int64, days: Int = 90) -> (
        signing: Int?, published: [Int], SigningSchedule.Need
    ) {
        let schedule = SigningSchedule(stored(starts, now: now))
        return (
            schedule.signing.map { Int($0.id.low) }, schedule.published.map { Int($0.id.low) },
            schedule.need(days: days)
        )
    }

    @Test func aKeyIsPublishedBeforeItSignsAndUntilItsTokensAreGone() {
        #expect(state([], now: 0) == (nil, [], .first))
        #expect(state([0], now: 0) == (0, [0], .nothing))
        #expect(state([0], now: 90 * Self.day - 601) == (0, [0], .nothing))
        #expect(state([0], now: 90 * Self.day - 600) == (0, [0], .next))
        #expect(state([0], now: 900 * Self.day, days: 0) == (0, [0], .nothing))
        let start = 90 * Self.day
        #expect(state([0, start], now: start - 1) == (0, [0, 1], .nothing))
        #expect(state([0, start], now: start) == (1, [0, 1], .nothing))
        #expect(state([0, start], now: start + 3_899) == (1, [0, 1], .nothing))
        #expect(state([0, start], now: start + 3_900) == (1, [1], .nothing))
        // Made for later while another waits: in turn.
        #expect(state([0, 100, 200], now: 150) == (1, [0, 1, 2], .nothing))
        // A clock set back.
        #expect(state([100], now: 50) == (0, [0], .nothing))
    }

    private func keys(_ store: FakeStore, _ clock: TestClock, days: Int = 90, _ box: SecretBox? = TestSecrets.box)
        -> SigningKeys
    {
        SigningKeys(store: store, secrets: box, days: days, now: clock.clocks.monotonic)
    }

    @Test func theFirstIsMadeByOneOfMany() async throws {
        let store = FakeStore(), clock = TestClock()
        let instances = (0..<8).map { _ in keys(store, clock) }
        let ids = try await withThrowingTaskGroup(of: Identifier.self) { group in
            for instance in instances { group.addTask { try await instance.signing().id } }
            return try await group.reduce(into: Set<Identifier>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(store.content.withLock { $0.signingKeys.keys.count } == 1)
    }

    @Test func keysAreReadOnceAndThenHeld() async throws {
        let store = FakeStore(), clock = TestClock()
        let keys = keys(store, clock)
        let id = try await keys.signing().id
        let reads = store.content.withLock { $0.signingKeyReads }
        for _ in 0..<100 { #expect(try await keys.verifying(id) != nil) }
        #expect(store.content.withLock { $0.signingKeyReads } == reads)
        // Taken away, it verifies nothing after three seconds.
        store.content.withLock { $0.signingKeys = StoredSigningKeys(keys: [], now: $0.signingKeys.now) }
        clock.advance(by: .seconds(3))
        #expect(try await keys.verifying(id) == nil)
    }

    @Test func anUnknownKeyIsLookedForAndForgedOnesCostNothing() async throws {
        let store = FakeStore(), clock = TestClock()
        let here = keys(store, clock), there = keys(store, clock)
        #expect(try await here.verifying(Identifier(high: 1, low: 1)) == nil)
        let id = try await there.signing().id
        clock.advance(by: .milliseconds(250))
        #expect(try await here.verifying(id) != nil, "another instance's first key")
        clock.advance(by: .milliseconds(250))
        let reads = store.content.withLock { $0.signingKeyReads }
        for number in 0..<1_000 { #expect(try await here.verifying(Identifier(high: 2, low: UInt64(number))) == nil) }
        #expect(store.content.withLock { $0.signingKeyReads } <= reads + 1)
    }

    @Test func theNextIsMadeInTime() async throws {
        let store = FakeStore(), clock = TestClock()
        let keys = keys(store, clock, days: 1)
        let first = try await keys.signing().id
        store.content.withLock {
            $0.signingKeys = StoredSigningKeys(
                keys: $0.signingKeys.keys, now: $0.signingKeys.now.adding(seconds: Self.day - 600))
        }
        clock.advance(by: .seconds(5))
        #expect(try await keys.signing().id == first, "the next one is published before it signs")
        #expect(try await keys.published().count == 2)
        store.content.withLock {
            $0.signingKeys = StoredSigningKeys(keys: $0.signingKeys.keys, now: $0.signingKeys.now.adding(seconds: 600))
        }
        clock.advance(by: .seconds(5))
        #expect(try await keys.signing().id != first)
        #expect(try await keys.verifying(first) != nil)
    }

    @Test func withoutTheRightSecretKeyNothingIsSigned() async throws {
        let store = FakeStore(), clock = TestClock()
        await #expect { try await keys(store, clock, nil).signing() } throws: {
            ($0 as? Problem)?.type == .secretKeyNotConfigured
        }
        _ = try await keys(store, clock).signing()
        let other = SecretKey.list(try SecretKey.random()).flatMap { SecretBox($0) }
        await #expect { try await keys(store, clock, other).signing() } throws: {
            ($0 as? Problem)?.type == .secretKeyNotConfigured
        }
        // What is published needs no secret.
        #expect(try await keys(store, clock, nil).published().count == 1)
    }

    @Test func everythingElseWorksWithoutASecretKey() async throws {
        let service = try FakeService(secrets: nil)
        #expect(await service.respond(.get, "/v1/questions/counts").status == 200)
        #expect(await service.respond(.get, "/.well-known/jwks.json").json["keys"].array.isEmpty)
    }
}
