import Consent
import Testing

@testable import API

struct OriginBookTests {
    private let app = AppID(trusted: "reader")
    private let origin = Array("https://app.example".utf8)[...]

    @Test func originsAreHeldAndRenewed() async {
        let store = FakeStore()
        let clock = TestClock()
        let book = OriginBook(store: store, now: { clock.now })
        #expect(await !book.allows(origin, .anyApp))
        store.content.withLock { $0.origins = [app: ["https://app.example"]] }
        #expect(await !book.allows(origin, .anyApp), "held")
        clock.advance(by: .seconds(3))
        #expect(await book.allows(origin, .anyApp))
        #expect(await book.allows(origin, .app(app)))
        #expect(await !book.allows(origin, .app(AppID(trusted: "other"))))
        #expect(await !book.allows(origin, .nobody))
        #expect(store.content.withLock { $0.originReads } == 2)
    }

    @Test func ownWritesCountAtOnce() async {
        let store = FakeStore()
        let clock = TestClock()
        let book = OriginBook(store: store, now: { clock.now })
        #expect(await !book.allows(origin, .anyApp))
        store.content.withLock { $0.origins = [app: ["https://app.example"]] }
        book.forget()
        #expect(await book.allows(origin, .anyApp))
    }

    @Test func anOutageAllowsNobody() async {
        let store = FakeStore()
        store.content.withLock {
            $0.origins = [app: ["https://app.example"]]
            $0.failure = .unavailable
        }
        let clock = TestClock()
        let book = OriginBook(store: store, now: { clock.now })
        #expect(await !book.allows(origin, .anyApp))
        store.content.withLock { $0.failure = nil }
        #expect(await book.allows(origin, .anyApp))
    }
}
