import Consent
import Store
import TestSupport
import Testing

/// Signing keys as they are stored: one chain, whoever adds to it.
struct SigningKeyTests {
    private func key(_ number: UInt64, after last: Identifier?, lead: Int = 0, replacesAll: Bool = false)
        -> NewSigningKey
    {
        NewSigningKey(
            id: Identifier(high: 7, low: number), publicPoint: [4] + [UInt8](repeating: UInt8(number % 256), count: 64),
            sealedKey: [1, 2, 3], follows: last, leadSeconds: lead, replacesAll: replacesAll)
    }

    @Test func onlyOneFollowsEach() async throws {
        try await TestStore.with("signing_race") { test in
            // Two stores, as two instances would be.
            let other = TestStore(test.settings)
            for round in 0..<5 {
                let last = try await test.store.signingKeys().keys.last?.id
                let added = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<10 {
                        let fresh = key(UInt64(100 * round + number), after: last)
                        let store = number % 2 == 0 ? test.store : other.store
                        group.addTask { try await store.add(fresh) }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(added == 1)
            }
            let keys = try await other.store.signingKeys().keys
            #expect(keys.count == 5)
            #expect(keys.map(\.signsFrom) == keys.map(\.signsFrom).sorted())
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func isPublishedBeforeItSigns() async throws {
        try await TestStore.with("signing_lead") { test in
            let first = key(1, after: nil), second = key(2, after: first.id, lead: 600)
            #expect(try await test.store.add(first))
            #expect(try await test.store.add(first), "the same again changes nothing")
            #expect(try await test.store.add(second))
            #expect(try await !test.store.add(key(3, after: first.id)))
            #expect(try await !test.store.add(key(3, after: nil)))
            let stored = try await test.store.signingKeys()
            #expect(stored.keys.map(\.id) == [first.id, second.id])
            #expect(stored.keys[0].publicPoint == first.publicPoint && stored.keys[0].sealedKey == first.sealedKey)
            #expect(stored.keys[1].signsFrom == stored.keys[1].createdAt.adding(seconds: 600))
            #expect(stored.keys[0].signsFrom <= stored.now && stored.now < stored.keys[1].signsFrom)
        }
    }

    @Test func theOldGo() async throws {
        try await TestStore.with("signing_gone") { test in
            let first = key(1, after: nil), second = key(2, after: first.id)
            _ = try await test.store.add(first)
            _ = try await test.store.add(second)
            try test.execute(
                "update signing_key set created_at = created_at - interval '2 days', signs_from = signs_from - interval '2 days'"
            )
            let third = key(3, after: second.id)
            #expect(try await test.store.add(third))
            #expect(
                try await test.store.signingKeys().keys.map(\.id) == [second.id, third.id], "nobody needs the first")
            let fourth = key(4, after: third.id, replacesAll: true)
            #expect(try await !test.store.add(key(5, after: second.id, replacesAll: true)))
            #expect(try await test.store.signingKeys().keys.count == 2)
            #expect(try await test.store.add(fourth))
            #expect(try await test.store.signingKeys().keys.map(\.id) == [fourth.id])
        }
    }
}
