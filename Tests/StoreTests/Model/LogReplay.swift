import Consent
import Store
import Testing
@testable import TestSupport

/// A log read from its beginning, each event put to the model as the command it tells of: the model must come to the
/// same event. So the log is one order in which every change was right at its moment, and never decided on stale facts.
struct LogReplay {
    private(set) var model: Model
    /// Each question as it was at each of its revisions: once, and once more where it was told of at that revision.
    private(set) var history: [Identifier: [Int: [Question]]] = [:]
    /// Questions of those who were erased.
    private var erased: Set<Identifier> = []
    let events: [EventRecord]

    struct Disagreement: Error, CustomStringConvertible {
        let description: String
    }

    init(_ app: AppID, _ events: [EventRecord]) throws {
        model = Model(app)
        self.events = events
        var rest = Forgotten(events).events[...]
        var seq: Int64 = 0
        var latest: [Identifier: Instant] = [:]
        while let event = rest.first {
            let (command, count) = try command(rest)
            let (_, told) = model.run(command, key: nil, chosen(event, rest.prefix(count).last))
            let written = rest.prefix(count).map(Told.init)
            // A change's words and why it was withdrawn are the model's to find, and no longer in what is told of the erased.
            let isForgotten = event.person?.isForgotten == true
            let comparable = { (told: Told) in isForgotten ? told.erased([:]).settled : told.settled }
            guard told.map(comparable) == written.map(comparable) else {
                throw Disagreement(description: "event \(event.seq): \(written) is not what the model says: \(told)")
            }
            for event in rest.prefix(count) {
                seq += 1
                guard event.seq == seq else { throw Disagreement(description: "seq \(event.seq) after \(seq - 1)") }
                if let ref = event.personRef {
                    guard latest[ref, default: event.at] <= event.at else {
                        throw Disagreement(description: "event \(event.seq) is earlier than the one before")
                    }
                    latest[ref] = event.at
                }
                if case .question(let question, answer: _) = event.data {
                    history[question.id, default: [:]][question.revision, default: []].append(question)
                    if event.person?.isForgotten == true { erased.insert(question.id) }
                }
            }
            rest = rest.dropFirst(count)
        }
    }

    private func chosen(_ event: EventRecord, _ last: EventRecord?) -> Model.Chosen {
        var chosen = Model.Chosen(now: event.at)
        if case .person(_, rescindedAt: _, revision: _, let createdAt, updatedAt: _) = event.data,
            let ref = event.personRef
        {
            chosen.personRef = ref
            chosen.personCreatedAt = createdAt
        }
        if case .question(let question, answer: _) = last?.data { chosen.question = question.id }
        return chosen
    }

    /// The command that the next event, or the next few, tell of.
    private func command(_ rest: ArraySlice<EventRecord>) throws -> (Command, events: Int) {
        guard let event = rest.first else { throw Disagreement(description: "no event") }
        switch event.data {
        case .app(let app): return (.putApp(app.settings, .none), 1)
        case .change(let change):
            if let withdrawal = change.withdrawal { return (.withdrawChange(change.id, reason: withdrawal.reason), 1) }
            return (.putChange(change.id, change.settings, .none), 1)
        case .ageRating(let step):
            let observation = AgeRatingObservation(scope: step.scope, code: step.code, observedAt: step.observedAt)
            return (.observeAgeRating(observation), step.change == nil ? 1 : 2)
        case .key(let key):
            if event.type == .keyRevoked { return (.revokeKey(key.id), 1) }
            return (.createKey(NewKey(id: key.id, role: key.role, label: key.label, secretHash: [])), 1)
        case .person(let facts, rescindedAt: _, revision: _, createdAt: _, updatedAt: _):
            return (.putPerson(try person(event), facts, .none), 1)
        case .rescission(let rescission):
            return (
                .rescind(person: try person(event), rescission.scope, reason: rescission.reason),
                1 + rescission.ended.count
            )
        case .reinstated: return (.reinstate(person: try person(event)), 1)
        case .erased: return (.erase(person: try person(event), by: .child), 1)
        case .linked(let guardian): return (.link(person: try person(event), guardian: guardian), 1)
        case .unlinked(let guardian, voided: _): return (.unlink(person: try person(event), guardian: guardian), 1)
        case .acknowledgment(let given): return (.acknowledge(person: try person(event), change: given.change), 1)
        case .question(let question, let answer): return try command(event, question, answer, rest)
        case .webhookDisabled: throw Disagreement(description: "event \(event.seq) is of a webhook")
        case .notification, .account: throw Disagreement(description: "event \(event.seq) is of a store")
        }
    }

    private func command(
        _ event: EventRecord, _ question: Question, _ answer: GuardianAnswer?, _ rest: ArraySlice<EventRecord>
    ) throws -> (Command, events: Int) {
        if let answer {
            let request = AnswerRequest(
                guardian: answer.guardian, kind: answer.kind, reason: answer.reason, verification: answer.verification)
            return (.answer(question: question.id, request), 1)
        }
        switch event.type {
        case .questionExpiring: return (.remind(question: question.id), 1)
        case .questionCreated: return (.ask(request(question, try person(event))), 1)
        case .questionCancelled:
            if question.resolution?.by == .withdrawal { return (.cancelWithdrawn(question: question.id), 1) }
            let canceller: Canceller = question.resolution?.by == .admin ? .admin : .child
            return (.cancel(question: question.id, by: canceller, reason: question.resolution?.reason), 1)
        default:
            // Expired or superseded by what comes right after it, or expired alone.
            if let next = rest.dropFirst().first, case .question(let successor, answer: _) = next.data,
                next.type == .questionCreated, next.personRef == event.personRef, next.at == event.at,
                successor.topic.subject.utf8.elementsEqual(question.topic.subject.utf8)
            {
                return (.ask(request(successor, try person(event))), 2)
            }
            return (.expire(question: question.id), 1)
        }
    }

    /// What must have been asked for that question; the text of a change is left for the model to find.
    private func request(_ question: Question, _ person: CallerID) -> AskRequest {
        AskRequest(
            person: person, topic: question.topic,
            description: question.topic.kind == .significantAppUpdate ? nil : question.description,
            language: question.language, expiration: question.expiration, quorum: question.quorum)
    }

    private func person(_ event: EventRecord) throws -> CallerID {
        guard let person = event.person else { throw Disagreement(description: "event \(event.seq) has no person") }
        return person
    }
}

// MARK: Replies

extension LogReplay {
    /// Every question shown to anybody is one that the log has at that revision, read at that moment; every accepted
    /// answer is in the log once.
    func expectConsistent(_ replies: [Reply]) {
        for reply in replies {
            switch reply {
            case .done(.asked(let record, _)), .done(.question(let record)): expectSeen(record.question, record.readAt)
            case .done(.askedAll(_, let items)):
                for item in items {
                    switch item.result {
                    case .asked(let record, _): expectSeen(record.question, record.readAt)
                    case .refused(let refusal, let at): expect(refusal, at)
                    }
                }
            case .done(.answers(_, let items)):
                for item in items {
                    if case .accepted(let record) = item.result { expectSeen(record.question, record.readAt) }
                    if case .refused(let refusal, let at) = item.result { expect(refusal, at) }
                }
            case .refused(let refusal, person: _, let at): expect(refusal, at)
            case .done, .replayed: break
            }
        }
    }

    private func expect(_ refusal: Refusal, _ at: Instant) {
        if let shown = refusal.shown { expectSeen(shown, at) }
        switch refusal {
        case .questionExpired(let question): #expect(at >= question.expiration)
        case .questionCancelled(let question): #expect(question.state == .cancelled)
        case .questionSuperseded(let question): #expect(question.supersededBy != nil)
        case .questionDecided(let question): #expect(question.state != .pending)
        case .consentRescinded(let question?): #expect(question.state != .pending && question.state != .approved)
        case .expirationNotAfterNow(let now): #expect(now == at)
        default: break
        }
    }

    /// A reminder leaves the revision as it was: what is shown after its moment has it, what is shown before has not, and
    /// at that moment it may be either.
    private func expectSeen(_ shown: Question, _ at: Instant) {
        let versions = history[shown.id]?[shown.revision] ?? []
        var seen = shown.bare
        // What was seen of somebody who is erased by now is not in the log as it was.
        if erased.contains(shown.id) { seen = seen.erased([:]) }
        let known = versions.indices.contains { index in
            var version = versions[index]
            if erased.contains(shown.id) {
                version = version.erased([:])
                if case .guardian = version.resolution?.by { version.resolution = seen.resolution }
            }
            let next = versions.dropFirst(index + 1).first?.updatedAt
            return version.updatedAt <= at && next.map { at <= $0 } ?? true && version.effective(at: at) == seen
        }
        #expect(known, "\(shown) at \(at), of \(versions)")
    }
}
