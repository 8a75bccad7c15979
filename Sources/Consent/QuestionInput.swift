/// What can happen to one question; `Question.applying(_:at:)` says what comes of it.
///
/// An unlink is not among them: it changes no question but takes an approval out of the count
/// (`Question.voidingApproval(of:at:)`), and `guardian.unlinked` tells it.
package enum QuestionInput: Sendable, Hashable {
    /// `mayAnswer`: whether the guardian may answer for this person now (see `Person.mayAnswer`); `methods`: how they must
    /// have been verified to approve, in one of these ways (none: in none); `withdrawn`: the change that the question is
    /// about, where that was taken back; `rescinded`: whether consent for this person is taken back as a whole.
    case answer(
        AnswerRequest, mayAnswer: Bool, methods: [String] = [], withdrawn: Change? = nil, rescinded: Bool = false)
    case cancel(by: Canceller, reason: String?)
    /// The change that the question is about was taken back.
    case withdraw(reason: String?)
    /// The sweep, or anybody who looked, found the expiration passed.
    case deadline
    /// The same thing was asked again, as that question.
    case supersede(by: Identifier)
    /// Consent was taken back (`Rescinding`): approvals up to a moment count no more.
    case rescind(upTo: Instant, endsPending: Bool, reason: String?)
    /// Its expiration is near: at most so many seconds ahead.
    case remind(seconds: Int)
}
