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
    ///   - signs: what else is known to have shown that the household was there.
    package static func decide(
        _ request: RescissionRequest, person: Person?, change: Change?, questions: [Question], earlier: Int,
        signs: HouseholdSigns = .none, now: Instant
    ) -> RescindVerdict {
        guard var person else { return .refused(.unknownPerson) }
        if request.scope.kind == .change, change == nil { return .refused(.rescindedChangeNotRegistered) }
        // What is said of this moment holds already.
        if request.scope == .person, person.isRescinded, request.effective == nil { return .unchanged }
        let effective = min(request.effective ?? now, now)
        let returned = [person.returnedAt, signs.returnedAt].compactMap { $0 }.max()
        let horizon = horizon(effective, request.marginSeconds, returned)
        let concerned = questions.filter { request.scope.covers($0.topic) }.sorted { $0.id < $1.id }
        let doubtful = effective.adding(seconds: Int64(request.marginSeconds))
        let hasReturned = returned.map { $0 > effective } ?? false
        let freezes =
            request.scope == .person && !hasReturned && !isApproved(after: doubtful, concerned, signs)
        let input = QuestionInput.rescind(
            upTo: horizon, endsPending: freezes || request.scope != .person, reason: request.reason)
        var ended: [EarlierChange] = []
        var voided: [Question] = []
        var withinMargin: [Identifier] = []
        for question in concerned {
            let before = ended.count + voided.count
            if case .changed(let next, let event, recorded: _) = question.applying(input, at: now) {
                ended.append(EarlierChange(question: next, event: event))
            } else if let next = question.voidingApprovals(upTo: horizon, at: now) {
                voided.append(next)
            }
            if ended.count + voided.count > before, question.hasApproval(after: effective, upTo: horizon) {
                withinMargin.append(question.id)
            }
        }
        let isNew = freezes && effective > person.rescindedAt ?? Instant(microseconds: .min)
        // A store's is always kept: a return may end it alone, and an approval from before it may be learnt of later.
        let isKept = isNew || request.notice != nil
        if !isKept, ended.isEmpty, voided.isEmpty { return .unchanged }
        if isNew {
            person.rescindedAt = effective
            person.revision += 1
            person.updatedAt = max(now, person.updatedAt)
        } else if hasReturned, !ended.isEmpty {
            // The household is back, so what ended is to be asked anew.
            person.returnedAt = returned
        }
        let rescission = Rescission(
            personRef: person.ref, number: earlier + 1, scope: request.scope, reason: request.reason,
            source: request.source, effectiveAt: effective, receivedAt: now, notice: request.notice,
            ended: ended.map(\.question.id), voided: voided.map(\.id), withinMargin: withinMargin, freezes: freezes)
        return .rescinded(rescission, person, ended: ended, voided: voided)
    }

    /// Up to when approvals are voided. What was approved after a return was approved by a household that was back,
    /// however near the rescission.
    private static func horizon(_ effective: Instant, _ marginSeconds: Int, _ returned: Instant?) -> Instant {
        let doubtful = effective.adding(seconds: Int64(marginSeconds))
        guard let returned, returned > effective else { return doubtful }
        return min(doubtful, Instant(microseconds: returned.microseconds - 1))
    }

    /// Whether an approval shows that the household went on after the rescission.
    private static func isApproved(after moment: Instant, _ questions: [Question], _ signs: HouseholdSigns) -> Bool {
        if let approved = signs.approvedAt, approved > moment { return true }
        return questions.contains { question in
            question.latestAnswers.contains { $0.isCountedApproval && $0.at > moment }
        }
    }
}

extension Question {
    /// Whether an approval counts that was given between two moments.
    fileprivate func hasApproval(after first: Instant, upTo last: Instant) -> Bool {
        latestAnswers.contains { $0.isCountedApproval && $0.at > first && $0.at <= last }
    }
}
