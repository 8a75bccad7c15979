import Consent

/// One command after the other, each on the state the ones before it left.
extension BatchState {
    mutating func decide(_ submission: Submission) -> Reply {
        guard let idempotency = submission.idempotency else { return run(submission.command) }
        let name = IdempotencyName(scope: idempotency.scope, key: idempotency.key)
        if let earlier = kept[name] {
            return earlier.fingerprint == idempotency.fingerprint
                ? .replayed(status: earlier.status, earlier.resource)
                : .refused(.idempotencyKeyReused, person: nil, at: now)
        }
        let reply = run(submission.command)
        if case .done(let outcome) = reply {
            let keeping = KeptReply(
                fingerprint: idempotency.fingerprint, status: outcome.status, resource: outcome.resource)
            kept[name] = keeping
            writes.keptReplies.append((name, keeping))
        }
        return reply
    }

    private mutating func run(_ command: Command) -> Reply {
        if appRow == nil, !command.createsApp { return refused(.unknownApp) }
        switch command {
        case .ask(let request): return ask(request)
        case .askAll(let request): return askAll(request)
        case .answer(let question, let request): return answer(question, request)
        case .answerMany(let person, let items): return answerMany(person, items)
        case .cancel(let question, let canceller, let reason):
            return apply(.cancel(by: canceller, reason: reason), to: question)
        case .expire(let question): return expire(question)
        case .remind(let question): return remind(question)
        case .putPerson(let person, let facts, let precondition): return putPerson(person, facts, precondition)
        case .link(let person, let guardian): return link(person, guardian)
        case .unlink(let person, let guardian): return unlink(person, guardian)
        case .acknowledge(let person, let change): return acknowledge(person, change)
        case .rescind(let person, let scope, let reason): return rescind(person, scope, reason: reason)
        case .reinstate(let person): return reinstate(person)
        case .erase(let person, let canceller): return erase(person, by: canceller)
        case .putChange(let change, let settings, let precondition): return putChange(change, settings, precondition)
        case .withdrawChange(let change, let reason): return withdraw(change, reason)
        case .cancelWithdrawn(let question): return cancelWithdrawn(question)
        case .closeWithdrawal(let change):
            writes.closedWithdrawals.append(change)
            return .done(.forgotten)
        case .observeAgeRating(let observation): return observe(observation)
        case .receive(let notice): return receive(notice)
        case .register(let person, let registration): return register(person, registration)
        case .attribute(let notification, let person): return attribute(notification, to: person)
        case .putApp(let settings, let precondition): return putApp(settings, precondition)
        case .createKey(let key): return createKey(key)
        case .revokeKey(let key): return revokeKey(key)
        case .webhook(let command): return decide(command)
        case .keepTicket(let ticket): return keep(ticket)
        case .useTicket(let hash): return use(ticket: hash)
        case .prune(let pruning): return prune(pruning)
        }
    }

    func refused(_ refusal: Refusal, person: CallerID? = nil) -> Reply {
        .refused(refusal, person: person, at: now)
    }
}

extension Command {
    /// The one command that does not need its app to exist.
    fileprivate var createsApp: Bool {
        if case .putApp = self { return true }
        return false
    }
}

extension Outcome {
    /// What a repeat of the request reads for its answer.
    var resource: ResourceName {
        switch self {
        case .asked(let record, _), .question(let record): .question(record.question.id)
        case .answers(let person, let items):
            .answers(
                person: person,
                items.map { item in
                    switch item.result {
                    case .accepted: .init(question: item.question, refusal: nil)
                    case .refused(let refusal, _): .init(question: item.question, refusal: refusal.code)
                    }
                })
        case .askedAll(let person, let items): .askedAll(person: person, items.map(\.name))
        case .person(let person, _): .person(person.id)
        case .link(let link, _): .link(person: link.person, guardian: link.guardian)
        case .acknowledgment(let acknowledgment, let person, _):
            .acknowledgment(person: person, change: acknowledgment.change)
        case .rescinded(let standing): .rescission(person: standing.person.id, standing.scope)
        case .reinstated(let standing): .reinstatement(person: standing.person.id)
        case .change(let change, _): .change(change.id)
        case .ageRating(let report):
            .ageRating(report.scope, report.outcome, previousCode: report.previousCode, change: report.change)
        case .notification(let record): .notification(record.notification.id)
        case .registered(let account, let person, created: _): .account(person: person.id, account.account)
        case .app: .app
        case .key(let key): .key(key.id)
        case .webhook(let outcome): outcome.resource
        case .ticket(let end): .ticket(expiresAt: end)
        case .unlinked, .erased, .keyRevoked, .expired, .reminded, .forgotten, .pruned, .used: .nothing
        }
    }
}

extension AskedItem {
    fileprivate var name: ResourceName.AskedName {
        switch result {
        case .asked(let record, let asked):
            .init(change: change, result: .asked(asked), question: record.question.id)
        case .refused(let refusal, at: _):
            .init(change: change, result: .refused(refusal.code), question: refusal.refusedBefore?.id)
        }
    }
}

extension Refusal {
    /// The question whose refusal still stands, where that is why.
    fileprivate var refusedBefore: Question? {
        if case .deniedRecently(let question, until: _, now: _) = self { question } else { nil }
    }
}
