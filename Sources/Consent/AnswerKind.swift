/// What a guardian says to a question.
package enum AnswerKind: String, Sendable, Hashable, CaseIterable {
    case approval, denial
}
