import Consent
import Testing

@Suite struct TopicTests {
    private func handles(_ texts: String...) -> Topic { .communication(handles: texts.map { CallerID(trusted: $0) }) }

    @Test("handles are a set: order and repetition ask the same thing")
    func handlesAreASet() {
        #expect(handles("b", "a").asksTheSame(as: handles("a", "b", "a")))
        #expect(!handles("a").asksTheSame(as: handles("a", "b")))
        #expect(!handles("ab").asksTheSame(as: handles("a", "b")))
    }

    @Test("the same id under another kind is another question")
    func kinds() {
        let id = CallerID(trusted: "x")
        let topics: [Topic] = [
            .significantAppUpdate(change: id), .communication(handles: [id]), .purchase(product: id),
            .custom(subject: id, reusable: true),
        ]
        #expect(Set(topics.map(\.subject)).count == 4)
        #expect(topics.map(\.kind) == Topic.Kind.allCases)
        #expect(topics.map(\.approvalStands) == [true, true, false, true])
        #expect(!Topic.custom(subject: id, reusable: false).approvalStands)
    }

    @Test("for once or for good asks the same thing")
    func reusable() {
        let id = CallerID(trusted: "x")
        #expect(Topic.custom(subject: id, reusable: true).asksTheSame(as: .custom(subject: id, reusable: false)))
    }

    @Test("ids that differ in bytes ask different things, although their text is canonically equal")
    func bytes() {
        let composed = Topic.purchase(product: CallerID(trusted: "caf\u{e9}"))
        let decomposed = Topic.purchase(product: CallerID(trusted: "cafe\u{301}"))
        #expect(!composed.asksTheSame(as: decomposed))
        #expect(composed != decomposed)
        #expect(!handles("caf\u{e9}").asksTheSame(as: handles("cafe\u{301}")))
    }
}

extension Topic {
    /// As the subject is to be compared: by bytes.
    fileprivate func asksTheSame(as other: Topic) -> Bool {
        subject.utf8.elementsEqual(other.subject.utf8)
    }
}
