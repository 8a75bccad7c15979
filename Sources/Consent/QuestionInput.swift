/// What can happen to one question; `Question.applying(_:at:)` says what comes of it.
///
/// An unlink is not among them: it changes no question but takes an approval out of the count
/// (`Question.voidingApproval(of:at:)`), and `guardian.unlinked` tells it.
package enum QuestionInput: Sendable, Hashable {
    /// `mayAnswer`: whether the guardian may answer for this person now (see `Person.mayAnswer`).
    case answer(AnswerRequest, mayAnswer: Bool)
    case cancel(by: Canceller, reason: String?)
    /// The sweep, or anybody who looked, found the expiration passed.
    case deadline
    /// The same thing was asked again, as that question.
    case supersede(by: Identifier)
    /// Its expiration is near: at most so many seconds ahead.
    case remind(seconds: Int)
}
