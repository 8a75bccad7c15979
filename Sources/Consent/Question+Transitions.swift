/// The life of a question: the one place that says what an input does to it.
extension Question {
    /// What comes of an input at a moment. The question must hold the latest answer of each guardian.
    ///
    /// A moment before the question's last change counts as that last change, so that a clock set back never puts two
    /// changes out of order. At exactly the expiration the expiration has passed.
    package func applying(_ input: QuestionInput, at now: Instant) -> Verdict {
        let now = max(now, updatedAt)
        switch input {
        case .answer(let request, mayAnswer: true, let methods, let change, let rescinded):
            return answered(request, methods, withdrawn: change, rescinded: rescinded, at: now)
        case .answer(_, mayAnswer: false, _, _, _): return .refused(.guardianNotLinked)
        case .cancel(let canceller, let reason): return cancelled(by: canceller, reason: reason, at: now)
        case .withdraw(let reason): return withdrawn(reason: reason, at: now)
        case .deadline: return overdue(at: now)
        case .supersede(let successor): return superseded(by: successor, at: now)
        case .rescind(let horizon, let endsPending, let reason):
            return rescinded(upTo: horizon, endsPending: endsPending, reason: reason, at: now)
        case .remind(let seconds): return reminded(seconds: seconds, at: now)
        }
    }

    /// Approvals have a deadline, refusals do not: past the expiration the one thing still taken is the denial that
    /// withdraws an approval. While consent for the person is taken back, nothing is approved. About a withdrawn change
    /// nothing else is taken either: what still waits is about to be cancelled, and no answer may make it wait again.
    private func answered(
        _ request: AnswerRequest, _ methods: [String], withdrawn change: Change?, rescinded: Bool, at now: Instant
    ) -> Verdict {
        let reading = effective(at: now)
        if supersededBy != nil { return .refused(.questionSuperseded(reading)) }
        switch reading.state {
        case .cancelled: return .refused(.questionCancelled(reading))
        case .expired: return .refused(.questionExpired(reading))
        case .revoked where isRescinded: return .refused(.consentRescinded(reading))
        case .pending, .approved, .denied, .revoked: break
        }
        if rescinded, request.kind == .approval { return .refused(.consentRescinded(reading)) }
        if countedAnswer(of: request.guardian)?.kind == request.kind { return .unchanged }
        if let change, state != .approved || request.kind == .approval, !isPastExpiration(at: now) {
            return .refused(.changeWithdrawn(change))
        }
        switch (state, request.kind, isPastExpiration(at: now)) {
        case (_, _, false), (.approved, .denial, true):
            guard request.isVerified(by: methods) else { return .refused(.verificationRequired(methods: methods)) }
            return recording(request, at: now)
        case (.approved, .approval, true), (.pending, _, true), (.denied, _, true), (.revoked, _, true),
            (.expired, _, true), (.cancelled, _, true):
            return .refused(.questionExpired(reading))
        }
    }

    /// Appends the answer and lets the latest answers say the state.
    private func recording(_ request: AnswerRequest, at now: Instant) -> Verdict {
        var next = changed(at: now)
        let answer = GuardianAnswer(
            guardian: request.guardian, kind: request.kind, reason: request.reason, verification: request.verification,
            at: now, revision: next.revision)
        next.latestAnswers.removeAll { $0.guardian == request.guardian }
        next.latestAnswers.append(answer)
        next.state = next.stateByAnswers
        guard next.state != state else { return .changed(next, .questionAnswered, recorded: answer) }
        next.everApproved = everApproved || next.state == .approved
        next.resolution =
            next.state == .pending ? nil : Resolution(by: .guardian(request.guardian), at: now, reason: request.reason)
        return .changed(next, next.state.event, recorded: answer)
    }

    private func cancelled(by canceller: Canceller, reason: String?, at now: Instant) -> Verdict {
        let reading = effective(at: now)
        if supersededBy != nil { return .refused(.questionSuperseded(reading)) }
        switch reading.state {
        case .cancelled: return .unchanged
        case .expired: return .refused(.questionExpired(reading))
        case .approved, .denied, .revoked: return .refused(.questionDecided(reading))
        case .pending:
            var next = changed(at: now)
            next.state = .cancelled
            next.resolution = Resolution(by: canceller.resolver, at: now, reason: reason)
            return .changed(next, .questionCancelled, recorded: nil)
        }
    }

    /// Only what waits is cancelled; what expired meanwhile did so first.
    private func withdrawn(reason: String?, at now: Instant) -> Verdict {
        guard effective(at: now).state == .pending else { return .unchanged }
        var next = changed(at: now)
        next.state = .cancelled
        next.resolution = Resolution(by: .withdrawal, at: now, reason: reason)
        return .changed(next, .questionCancelled, recorded: nil)
    }

    private func overdue(at now: Instant) -> Verdict {
        guard isOverdue(at: now) else { return .unchanged }
        var next = changed(at: now)
        next.state = .expired
        next.resolution = silence
        return .changed(next, .questionExpired, recorded: nil)
    }

    /// Only a refusal is superseded: what is pending or approved is itself the answer to asking again, and what ended
    /// without a decision takes no answer anyway.
    private func superseded(by successor: Identifier, at now: Instant) -> Verdict {
        if let supersededBy {
            return supersededBy == successor ? .unchanged : .refused(.questionSuperseded(self))
        }
        switch state {
        case .pending, .approved, .expired, .cancelled: return .unchanged
        case .denied, .revoked:
            var next = changed(at: now)
            next.supersededBy = successor
            return .changed(next, .questionSuperseded, recorded: nil)
        }
    }

    /// Told once, while it waits and its expiration is at most so many seconds ahead. A question that lives no longer than
    /// that would be reminded of as it is asked, which tells nobody anything, so it never is.
    ///
    /// The revision stays: nothing changed that a guardian or a cache would have to see again.
    private func reminded(seconds: Int, at now: Instant) -> Verdict {
        let seconds = Int64(seconds)
        guard seconds > 0, remindedAt == nil, state == .pending, !isOverdue(at: now),
            now.adding(seconds: seconds) >= expiration, createdAt.adding(seconds: seconds) < expiration
        else { return .unchanged }
        var next = self
        next.updatedAt = now
        next.remindedAt = now
        return .changed(next, .questionExpiring, recorded: nil)
    }

    /// The question after an unlinked guardian's approval was taken out of the count; nil where there is none to take.
    ///
    /// Only on a question that still waits: an approval that was counted in a decision keeps counting. State, revision
    /// and the moment of the last change stay; the answer's `voidedAt` is what is to be written.
    package func voidingApproval(of guardian: CallerID, at now: Instant) -> Question? {
        let now = max(now, updatedAt)
        guard state == .pending, !isOverdue(at: now),
            let index = latestAnswers.firstIndex(where: { $0.guardian == guardian }),
            latestAnswers[index].kind == .approval, latestAnswers[index].voidedAt == nil
        else { return nil }
        var next = self
        next.latestAnswers[index].voidedAt = now
        return next
    }

    /// What the counted answers say, regardless of the expiration.
    private var stateByAnswers: QuestionState {
        var approvals = 0
        var denials = 0
        for answer in latestAnswers where answer.voidedAt == nil {
            switch answer.kind {
            case .approval: approvals += 1
            case .denial: denials += 1
            }
        }
        if denials > 0 { return everApproved ? .revoked : .denied }
        return approvals >= quorum ? .approved : .pending
    }

    private func countedAnswer(of guardian: CallerID) -> GuardianAnswer? {
        latestAnswers.first { $0.guardian == guardian && $0.voidedAt == nil }
    }

    private func changed(at now: Instant) -> Question {
        var next = self
        next.revision += 1
        next.updatedAt = now
        return next
    }
}

extension QuestionState {
    /// The event that tells that a question came to this state.
    package var event: EventType {
        switch self {
        case .pending: .questionPending
        case .approved: .questionApproved
        case .denied: .questionDenied
        case .revoked: .questionRevoked
        case .expired: .questionExpired
        case .cancelled: .questionCancelled
        }
    }
}

extension Canceller {
    /// Who the resolution of a cancelled question names.
    package var resolver: Resolution.Resolver {
        switch self {
        case .child: .child
        case .admin: .admin
        }
    }
}
