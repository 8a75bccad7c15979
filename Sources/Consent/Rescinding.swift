/// What consent taken back ends.
package enum Rescinding {
    /// Decides about a rescission; nil stands for what does not exist.
    ///
    /// What counts is when it took effect, not when it is learnt of. One that is followed by a return, or by an approval
    /// later than it and its margin, freezes nobody: it voids only the approvals before it.
    ///
    /// - Parameters:
    ///   - change: the registered change that the scope names; nil when there is none, or for the person.
    ///   - questions: those of the person that are pending, approved, or refused and not superseded, with their answers.
    ///   - earlier: how many rescissions of the person are known already.
    package static func decide(
        _ request: RescissionRequest, person: Person?, change: Change?, questions: [Question], earlier: Int,
        now: Instant
    ) -> RescindVerdict {
        guard var person else { return .refused(.unknownPerson) }
        if request.scope.kind == .change, change == nil { return .refused(.rescindedChangeNotRegistered) }
        // What is said of this moment holds already.
        if request.scope == .person, person.isRescinded, request.effective == nil { return .unchanged }
        let effective = min(request.effective ?? now, now)
        let horizon = horizon(effective, request.marginSeconds, person)
        let concerned = questions.filter { request.scope.covers($0.topic) }.sorted { $0.id < $1.id }
        let freezes =
            request.scope == .person && !isOver(effective, request.marginSeconds, person, concerned)
        let input = QuestionInput.rescind(
            upTo: horizon, endsPending: freezes || request.scope != .person, reason: request.reason)
        var ended: [EarlierChange] = []
        var voided: [Question] = []
        for question in concerned {
            if case .changed(let next, let event, recorded: _) = question.applying(input, at: now) {
                ended.append(EarlierChange(question: next, event: event))
            } else if let next = question.voidingApprovals(upTo: horizon, at: now) {
                voided.append(next)
            }
        }
        let isNew = freezes && effective > person.rescindedAt ?? Instant(microseconds: .min)
        if !isNew, ended.isEmpty, voided.isEmpty { return .unchanged }
        if isNew {
            person.rescindedAt = effective
            person.revision += 1
            person.updatedAt = max(now, person.updatedAt)
        }
        let rescission = Rescission(
            personRef: person.ref, number: earlier + 1, scope: request.scope, reason: request.reason,
            source: request.source, effectiveAt: effective, receivedAt: now, ended: ended.map(\.question.id),
            voided: voided.map(\.id), freezes: freezes)
        return .rescinded(rescission, person, ended: ended, voided: voided)
    }

    /// Up to when approvals are voided. What was approved after a return was approved by a household that was back,
    /// however near the rescission.
    private static func horizon(_ effective: Instant, _ marginSeconds: Int, _ person: Person) -> Instant {
        let doubtful = effective.adding(seconds: Int64(marginSeconds))
        guard let returned = person.returnedAt, returned > effective else { return doubtful }
        return min(doubtful, Instant(microseconds: returned.microseconds - 1))
    }

    /// Whether what is known happened after the rescission shows that the household is back.
    private static func isOver(
        _ effective: Instant, _ marginSeconds: Int, _ person: Person, _ questions: [Question]
    ) -> Bool {
        if let returned = person.returnedAt, returned > effective { return true }
        let doubtful = effective.adding(seconds: Int64(marginSeconds))
        return questions.contains { question in
            question.latestAnswers.contains { $0.isCountedApproval && $0.at > doubtful }
        }
    }
}
