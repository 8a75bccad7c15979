import Consent
import Store

@testable import TestSupport

/// Random requests about one person, or about the app alone, sent one after the other; what came of each.
struct RandomHistory {
    typealias Step = HistoryWalk.Step

    /// Nil: the app.
    let person: CallerID?
    private var source: CommandSource
    private let app: TestApp
    private let service: TestService
    /// What the log said of the person right before each erasure, in the order of events.
    private(set) var remembered: [JSON] = []

    init(_ person: CallerID?, _ seed: UInt64, _ app: TestApp) throws {
        self.person = person
        self.app = app
        service = try TestService.get()
        source = CommandSource(seed: seed, changesPolicy: true)
        if let person { source.persons = [person] }
    }

    /// Sends so many commands, and looks now and then at what the person may do.
    mutating func advance(_ count: Int) async throws -> [Step] {
        var steps: [Step] = []
        var commands = 0
        while commands < count {
            let command = source.next(now: .present).speakable
            guard command.concernsApp == (person == nil) else { continue }
            guard let step = try await take(command) else { continue }
            steps.append(step)
            commands += 1
            if let person, source.random.once(in: 5) || commands == count {
                steps.append(try await look(.access(person), at: "/v1/persons/\(person.escaped)/access"))
            }
        }
        return steps
    }

    /// Sends what a scene about the person says.
    mutating func play(_ scene: [CommandSource.Line]) async throws -> [Step] {
        var steps: [Step] = []
        source.actor = person ?? source.actor
        for line in scene {
            if let step = try await take(source.command(line, .present).speakable) { steps.append(step) }
        }
        return steps
    }

    mutating func withdraw(_ change: CallerID) async throws -> [Step] {
        [try await take(.withdrawChange(change, reason: "never mind"))].compactMap { $0 }
    }

    /// Does what the worker does after a withdrawal, for the questions asked last.
    mutating func cancelWithdrawn() async throws -> [Step] {
        var steps: [Step] = []
        for question in source.questions.suffix(16) {
            if let step = try await take(.cancelWithdrawn(question: question)) { steps.append(step) }
        }
        return steps
    }

    private mutating func take(_ command: Command) async throws -> Step? {
        let answer: Step.Answer
        var sent = Instant.present
        switch command {
        case .expire(let question) where source.random.once(in: 2):
            return try await look(.look(question), at: "/v1/questions/\(question.text)")
        case .expire, .remind, .cancelWithdrawn:
            let submission = Submission(app: AppID(trusted: app.id), command: command, idempotency: nil)
            answer = .worker(try await service.store.submit(submission))
        default:
            guard let spelling = Spelling(command, app: app.id) else { return nil }
            if case .erase = command { try await remember() }
            sent = .present
            let reply = try await spelling.send(app)
            answer = .api(reply)
            let shown = [reply.slug == nil ? reply.json : reply.json.current] + reply.json.data.array.map(\.question)
            for question in shown {
                if let id = question.id.identifier, let revision = question.revision.int { source.note(id, revision) }
            }
        }
        return Step(action: .command(command), sent: sent, received: .present, answer: answer)
    }

    private func look(_ action: Step.Action, at path: String) async throws -> Step {
        let sent = Instant.present
        let reply = try await app.viewer.get(path)
        return Step(action: action, sent: sent, received: .present, answer: .api(reply))
    }

    private mutating func remember() async throws {
        guard let person else { return }
        remembered += try await app.events("/v1/persons/\(person.escaped)/history")
    }
}

extension TestApp {
    /// Every event of a log; none where there is no such log.
    func events(_ path: String) async throws -> [JSON] {
        var events: [JSON] = []
        var next = path + "?limit=100"
        while true {
            let page = try await viewer.get(next).json
            guard !page.data.array.isEmpty, let cursor = page.nextCursor.string else { return events }
            events += page.data.array
            next = path + "?limit=100&after=\(cursor)"
        }
    }
}

extension Command {
    /// Whether it changes what every person's history is decided on.
    fileprivate var concernsApp: Bool {
        switch self {
        case .putApp, .putChange, .withdrawChange, .observeAgeRating: true
        default: false
        }
    }

    /// The same as the API's words can say it and a model of whole milliseconds can follow: one guardian who answers each
    /// question once, and nothing that ends or counts by the microsecond.
    fileprivate var speakable: Command {
        switch self {
        case .ask(let request):
            return .ask(
                AskRequest(
                    person: request.person, topic: request.topic, description: request.description,
                    language: request.language, expiration: request.expiration?.wholeMilliseconds,
                    quorum: request.quorum))
        case .askAll(let request):
            return .askAll(
                AskAllRequest(
                    person: request.person, language: request.language,
                    expiration: request.expiration?.wholeMilliseconds, quorum: request.quorum))
        case .answerMany(let person, let items):
            var seen: Set<Identifier> = []
            let first = items.first?.answer
            return .answerMany(
                person: person,
                items.filter { seen.insert($0.question).inserted }.map { item in
                    AnswerItem(
                        question: item.question,
                        answer: AnswerRequest(
                            guardian: first?.guardian ?? item.answer.guardian, kind: item.answer.kind,
                            reason: item.answer.reason, verification: first?.verification),
                        revision: item.revision)
                })
        case .putChange(let change, var settings, let precondition):
            settings.effectiveFrom = settings.effectiveFrom?.wholeMilliseconds
            if settings.features == [] { settings.features = nil }
            return .putChange(change, settings, precondition)
        case .observeAgeRating(let observation):
            let observed = observation.observedAt?.wholeMilliseconds
            let isNow = observed.map { abs($0.microseconds - Instant.present.microseconds) < 100_000 } ?? true
            return .observeAgeRating(
                AgeRatingObservation(
                    scope: observation.scope, code: observation.code, observedAt: isNow ? nil : observed))
        case .putApp(var settings, let precondition):
            settings.policy.defaultExpirationSeconds = 604_800
            return .putApp(settings, precondition)
        default: return self
        }
    }
}

extension CommandSource {
    fileprivate mutating func note(_ question: Identifier, _ revision: Int) {
        if revisions.updateValue(revision, forKey: question) == nil { questions.append(question) }
    }
}
