import Consent
import Store
import Testing

@testable import API

struct CredentialShelfTests {
    private let id = Identifier(high: 1, low: 1)
    private let start = ContinuousClock.now

    private func credential() -> Credential {
        let key = APIKey(
            id: id, app: nil, role: .admin, label: "", createdAt: Instant(microseconds: 0), revokedAt: nil)
        return Credential(key: key, secretHash: [])
    }

    private enum Seen: Equatable { case known, unknown, lookUp, wait }

    private func seen(_ advice: CredentialShelf.Advice) -> Seen {
        switch advice {
        case .use(let credential): credential == nil ? .unknown : .known
        case .lookUp: .lookUp
        case .wait: .wait
        }
    }

    @Test func aKnownKeyIsUsedForAWhile() {
        var shelf = CredentialShelf()
        #expect(seen(shelf.advice(on: id, at: start)) == .lookUp)
        shelf.put(credential(), for: id, at: start)
        #expect(seen(shelf.advice(on: id, at: start + .milliseconds(1_499))) == .known)
    }

    @Test func oneRequestRenewsAndTheOthersGoOn() {
        var shelf = CredentialShelf()
        shelf.put(credential(), for: id, at: start)
        #expect(seen(shelf.advice(on: id, at: start + .milliseconds(1_500))) == .lookUp)
        #expect(seen(shelf.advice(on: id, at: start + .milliseconds(1_501))) == .known)
        #expect(seen(shelf.advice(on: id, at: start + .milliseconds(2_999))) == .known)
    }

    @Test func nothingIsUsedPastThreeSeconds() {
        var shelf = CredentialShelf()
        shelf.put(credential(), for: id, at: start)
        _ = shelf.advice(on: id, at: start + .seconds(2))
        #expect(seen(shelf.advice(on: id, at: start + .seconds(3))) == .lookUp)
    }

    /// A look-up that began before the key was revoked may have read it as it was.
    @Test func whatWasAskedForBeforeAForgettingIsNotKept() {
        var shelf = CredentialShelf()
        #expect(seen(shelf.advice(on: id, at: start)) == .lookUp)
        shelf.forget(id, at: start + .milliseconds(2))
        shelf.put(credential(), for: id, at: start)
        #expect(seen(shelf.advice(on: id, at: start + .milliseconds(3))) == .lookUp)
        shelf.put(credential(), for: id, at: start + .milliseconds(3))
        #expect(seen(shelf.advice(on: id, at: start + .milliseconds(4))) == .known)
    }

    @Test func forgettingActsAtOnce() {
        var shelf = CredentialShelf()
        shelf.put(credential(), for: id, at: start)
        shelf.forget(id)
        #expect(seen(shelf.advice(on: id, at: start)) == .lookUp)
    }

    @Test func unknownIdsAreRememberedForASecond() {
        var shelf = CredentialShelf()
        shelf.put(nil, for: id, at: start)
        #expect(seen(shelf.advice(on: id, at: start + .milliseconds(999))) == .unknown)
        #expect(seen(shelf.advice(on: id, at: start + .seconds(1))) == .lookUp)
    }

    @Test func lookUpsOfUnknownIdsAreRationed() {
        var shelf = CredentialShelf()
        shelf.put(credential(), for: id, at: start)
        var lookUps = 0
        for number in 0..<100_000 {
            let random = Identifier(high: 2, low: UInt64(number))
            if seen(shelf.advice(on: random, at: start)) == .lookUp {
                lookUps += 1
                shelf.put(nil, for: random, at: start)
            }
        }
        #expect(lookUps == Int(CredentialShelf.burst))
        #expect(seen(shelf.advice(on: Identifier(high: 3, low: 0), at: start)) == .wait)
        #expect(seen(shelf.advice(on: id, at: start + .seconds(2))) == .lookUp, "a good key is never rationed")
        #expect(seen(shelf.advice(on: Identifier(high: 3, low: 0), at: start + .seconds(1))) == .lookUp)
    }

    @Test func memoryIsBounded() {
        var shelf = CredentialShelf()
        for number in 0..<(CredentialShelf.capacity * 3) {
            shelf.put(credential(), for: Identifier(high: 4, low: UInt64(number)), at: start)
            shelf.put(nil, for: Identifier(high: 5, low: UInt64(number)), at: start)
        }
        #expect(shelf.count <= CredentialShelf.capacity * 2)
    }
}
