/// A change to a question asked earlier that something else brings with it: asking anew, a rescission.
package struct EarlierChange: Sendable, Hashable {
    package let question: Question
    package let event: EventType

    package init(question: Question, event: EventType) {
        self.question = question
        self.event = event
    }
}
