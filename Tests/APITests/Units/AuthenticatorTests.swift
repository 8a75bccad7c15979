import Consent
import HTTPServer
import Store
import Testing

@testable import API

/// Authentication over a store whose clock and content the test holds.
struct AuthenticatorTests {
    private let path = "/v1/questions/counts"

    @Test func aKeyIsLookedUpOnceAndThenHeld() async throws {
        let service = try FakeService()
        for _ in 0..<10 { #expect(await service.respond(.get, path).status == 200) }
        #expect(service.store.content.withLock { $0.credentialReads } == 1)
    }

    @Test func aRevocationHoldsWithinThreeSeconds() async throws {
        let service = try FakeService()
        #expect(await service.respond(.get, path).status == 200)
        service.store.content.withLock { content in
            let old = content.credentials[service.issued.stored.id]
            guard let old else { return }
            var key = old.key
            key.revokedAt = key.createdAt
            content.credentials[key.id] = Credential(key: key, secretHash: old.secretHash)
        }
        service.clock.advance(by: .seconds(3))
        #expect(await service.respond(.get, path).slug == "unauthenticated")
    }

    @Test func aKeyThatIsNotThereIsNotInForce() async throws {
        let service = try FakeService()
        #expect(await service.application.feed.isInForce(service.issued.stored.id))
        #expect(await !service.application.feed.isInForce(Identifier(high: 9, low: 9)))
        service.store.content.withLock { $0.failure = .unavailable }
        #expect(await service.application.feed.isInForce(Identifier(high: 9, low: 8)), "nobody knows")
    }

    @Test func theSecretCounts() async throws {
        let service = try FakeService()
        let last = service.issued.text.last == "A" ? "B" : "A"
        let wrong = String(service.issued.text.dropLast()) + last
        #expect(await service.respond(.get, path, key: wrong).status == 401)
        #expect(await service.respond(.get, path).status == 200)
    }

    @Test func theAppInTheKeyCounts() async throws {
        let service = try FakeService()
        let other = service.issued.text.replacing("asnt_reader_", with: "asnt_writer_")
        #expect(await service.respond(.get, path, key: other).status == 401)
        let admin = service.issued.text.replacing("asnt_reader_", with: "asnt__")
        #expect(await service.respond(.get, path, key: admin).status == 401)
    }

    @Test func randomKeysReachTheDatabaseOnlySoOften() async throws {
        let service = try FakeService()
        var statuses: Set<Int> = []
        for number in 0..<2_000 {
            let key = KeyText.write(
                app: AppID("reader"), id: Identifier(high: 9, low: UInt64(number)),
                secret: String(repeating: "x", count: 43))
            let response = await service.respond(.get, path, key: key)
            statuses.insert(response.status)
            if response.status == 503 { #expect(response.header("Retry-After") == "1") }
        }
        #expect(statuses == [401, 503])
        #expect(service.store.content.withLock { $0.credentialReads } <= Int(CredentialShelf.burst))
        #expect(await service.respond(.get, path).status == 503, "an unseen key waits until the ration is back")
        service.clock.advance(by: .seconds(1))
        #expect(await service.respond(.get, path).status == 200)
    }

    @Test func anOutageIsNoRefusal() async throws {
        let service = try FakeService()
        service.store.content.withLock { $0.failure = .unavailable }
        let response = await service.respond(.get, path)
        #expect(response.status == 503 && response.slug == "unavailable")
        service.store.content.withLock { $0.failure = nil }
        #expect(await service.respond(.get, path).status == 200)
    }
}
