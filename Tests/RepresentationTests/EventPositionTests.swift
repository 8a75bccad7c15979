import Testing

@testable import Representation

struct EventPositionTests {
    @Test(arguments: [EventPosition(feed: "f1", seq: 0), EventPosition(feed: "a_b", seq: .max)])
    func roundTrip(_ position: EventPosition) {
        #expect(EventPosition(position.text) == position)
        #expect(!position.text.contains("."))
    }

    @Test(arguments: [
        "", "f1", "_1", "f1_", "f1_-1", "f1_+1", "f1_01", "f1_1.0", "f1_9223372036854775808", "f1_1 ", "f1_١",
        "f1_99999999999999999999",
    ])
    func anythingElseIsNone(_ text: String) {
        #expect(EventPosition(text) == nil)
    }
}
