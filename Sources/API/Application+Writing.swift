import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    /// Submits a command and answers with what it came to.
    ///
    /// - Parameters:
    ///   - secret: a new key's text, shown if this very request made the key.
    ///   - ticket: the same of a ticket.
    func submit(
        _ command: Command, _ call: Call, secret: String? = nil, ticket: NewTicket? = nil
    ) async throws(Problem) -> Response {
        if !command.takesPrecondition { try Conditions.refuse(call.request.headers) }
        let key = try IdempotencyHeader.key(of: call.request, caller: call.caller)
        let submission = Submission(app: call.app, command: command, idempotency: key)
        let reply = try await read { () async throws(StoreFailure) in try await store.submit(submission) }
        switch reply {
        case .done(let outcome):
            return try await response(outcome, call, secret: secret, ticket: ticket)
        case .refused(let refusal, let person, let moment):
            var problem = Problem(refusal, app: call.app, person: person, at: moment)
            // No token reads a person.
            if call.caller.grant == nil, let person = command.judged(refusal) {
                problem.current = try await current(person, call.app)
            }
            if refusal == .tooManyWebhookEndpoints { problem.current = try await currentWebhookEndpoints(call.app) }
            throw problem
        case .replayed(let status, let name):
            do throws(Problem) {
                var response = try await replay(name, status: status, call)
                response.headers.append(.replayed)
                return response
            } catch {
                var problem = error
                problem.extraHeaders.append(.replayed)
                throw problem
            }
        }
    }

    private func response(
        _ outcome: Outcome, _ call: Call, secret: String?, ticket: NewTicket?
    ) async throws(Problem) -> Response {
        let status = outcome.status
        switch outcome {
        case .asked(let record, .created): return .question(record, status: status, location: true)
        case .asked(let record, .existing): return .question(record, status: status, existing: true)
        case .askedAll(let person, let items):
            return .json(status, capacity: 256 + 1_024 * items.count) {
                $0.asked(items, app: call.app, person: person)
            }
        case .question(let record): return .question(record, status: status)
        case .answers(let person, let items):
            return .json(status) { $0.answers(items, app: call.app, person: person) }
        case .person(let person, _): return .person(person, status: status, location: call.location(status))
        case .link(let link, _): return .link(link, status: status, location: call.location(status))
        case .acknowledgment(let acknowledgment, let person, _):
            return .acknowledgment(acknowledgment, person, status: status, location: call.location(status))
        case .rescinded(let standing): return .rescinded(standing, status: status)
        case .reinstated(let standing): return .reinstated(standing, status: status)
        case .change(let change, _):
            return .change(change, status: status, location: call.location(status), for: call.request)
        case .ageRating(let report):
            return .ageRating(
                report.outcome, baseline: report.baseline, previousCode: report.previousCode, change: report.change,
                status: status)
        case .notification(let record): return .notification(record, status: status)
        case .registered(let registered, let person, _): return .registration(registered, person, status: status)
        case .app(let app, _): return .app(app, status: status, location: call.location(status))
        case .key(let key): return .apiKey(key, status: status, secret: secret, app: call.app)
        case .webhook(let outcome): return try await webhook(outcome, call, secret: secret)
        case .ticket(let end): return .streamTicket(ticket, expiresAt: end, status: status)
        case .unlinked, .erased, .keyRevoked, .expired, .reminded, .forgotten, .pruned, .used: return .noContent()
        }
    }

    /// The person that a refusal was judged by, as they are now.
    private func current(_ person: CallerID, _ app: AppID) async throws(Problem) -> [UInt8]? {
        guard
            let person = try await read({ () async throws(StoreFailure) in try await store.person(app, person) })
        else { return nil }
        var writer = JSONWriter()
        writer.person(person)
        return writer.finish()
    }
}

extension Command {
    fileprivate var takesPrecondition: Bool {
        switch self {
        case .putPerson, .putChange, .putApp, .webhook(.replace): true
        case .ask, .askAll, .answer, .answerMany, .cancel, .expire, .remind, .link, .unlink, .acknowledge, .rescind,
            .reinstate,
            .erase,
            .observeAgeRating, .receive, .register, .attribute, .createKey, .revokeKey, .keepTicket, .useTicket, .prune,
            .withdrawChange,
            .cancelWithdrawn,
            .closeWithdrawal, .webhook:
            false
        }
    }

    /// Whose facts a refusal rests on, where it is a conflict with a person and not with a question.
    fileprivate func judged(_ refusal: Refusal) -> CallerID? {
        switch refusal {
        case .notAvailable, .blocked, .notAnAdult, .ageUnknown, .adultNotConfirmed, .consentRescinded(nil),
            .accountTaken:
            break
        default: return nil
        }
        switch self {
        case .ask(let request): return request.person
        case .askAll(let request): return request.person
        case .acknowledge(let person, _), .register(let person, _), .attribute(_, let person): return person
        default: return nil
        }
    }
}

extension Call {
    /// Where a resource that a PUT made stands: at the path that was asked for.
    fileprivate func location(_ status: Int) -> String? {
        status == 201 ? String(decoding: request.target.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) : nil
    }
}

extension HeaderField {
    /// Says that a keyed request had been accepted before.
    fileprivate static let replayed = HeaderField("Idempotency-Replayed", "true")
}
