import Testing

@testable import API

struct BoundTests {
    @Test func letsInSoMany() {
        let bound = Bound(2)
        #expect(bound.enter() && bound.enter() && !bound.enter())
        bound.leave()
        #expect(bound.enter() && !bound.enter())
    }
}
