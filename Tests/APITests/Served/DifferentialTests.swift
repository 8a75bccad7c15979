import Consent
import Store
import Testing

@testable import TestSupport

/// Random histories over HTTP and a real database, each person's in order and all persons' at once, against the domain's
/// rules on paper: every reply, every event and what stands at the end.
@Suite(.timeLimit(.minutes(5))) struct DifferentialTests {
    @Test(arguments: [21, 22, 23]) func historiesOverHTTPAgreeWithTheModel(seed: UInt64) async throws {
        let isStrict = seed == 22
        let policy = Policy(
            askAgainSeconds: 0, requireGuardianLinks: isStrict, adultNotConfirmed: isStrict ? .acknowledge : .block)
        let app = try await TestService.get().newApp(
            """
            {"name":"Test","policy":{"askAgainSeconds":0,"requireGuardianLinks":\(isStrict),\
            "adultNotConfirmed":"\(policy.adultNotConfirmed.rawValue)"}}
            """)
        var foundation = [Command.putApp(AppSettings(name: "Test", policy: policy), .none)]
        for change in CommandSource.changes {
            let command = Command.putChange(change, Samples.change, .none)
            foundation.append(command)
            #expect(try await Spelling(command)?.send(app).status == 201)
        }
        let histories = try await withThrowingTaskGroup(of: (CallerID, [HistoryWalk.Step]).self) { group in
            for (number, person) in CommandSource.persons.enumerated() {
                group.addTask { (person, try await Self.history(of: person, seed * 10 + UInt64(number), app)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let log = try await Self.log(app)
        #expect(log.map(\.seq.int) == (1...log.count).map { $0 })
        var model = Model(AppID(trusted: app.id))
        let founding = log.filter { ["app.updated", "change.registered"].contains($0.type) }
        for (command, event) in zip(foundation, founding) {
            _ = model.run(command, key: nil, Model.Chosen(now: try #require(event.timestamp.moment)))
        }
        let logs = Dictionary(grouping: log) { CallerID(trusted: $0.person.string ?? "") }
        for (person, steps) in histories {
            var walk = HistoryWalk(model, person, logs[person] ?? [])
            try walk.follow(steps)
            try await Self.expectSame(walk.model, person, app)
        }
    }

    private static func history(of person: CallerID, _ seed: UInt64, _ app: TestApp) async throws -> [HistoryWalk.Step]
    {
        var source = CommandSource(seed: seed, changesPolicy: false)
        source.persons = [person]
        var steps: [HistoryWalk.Step] = []
        while steps.count < 150 {
            let command = source.next(now: .present).speakable
            let sent = Instant.present
            let reply: HTTPClient.Reply
            switch command {
            case .putChange: continue
            case .expire(let question): reply = try await app.viewer.get("/v1/questions/\(question.text)")
            default:
                guard let spelling = Spelling(command) else { continue }
                reply = try await spelling.send(app)
            }
            steps.append(HistoryWalk.Step(command: command, sent: sent, received: .present, reply: reply))
            let shown = [reply.slug == nil ? reply.json : reply.json.current] + reply.json.data.array.map(\.question)
            for question in shown {
                if let id = question.id.identifier, let revision = question.revision.int { source.note(id, revision) }
            }
        }
        return steps
    }

    private static func log(_ app: TestApp) async throws -> [JSON] {
        var events: [JSON] = []
        var path = "/v1/events?limit=100"
        while true {
            let page = try await app.viewer.get(path).json
            guard !page.data.array.isEmpty, let cursor = page.nextCursor.string else { return events }
            events += page.data.array
            path = "/v1/events?limit=100&after=\(cursor)"
        }
    }

    /// Holds what the API lists of a person against the model, once the last of it has expired.
    private static func expectSame(_ model: Model, _ person: CallerID, _ app: TestApp) async throws {
        var listed: [JSON] = []
        var path: String? = "/v1/questions?limit=40&person=\(person.escaped)"
        let now = Instant.present
        while let next = path {
            let page = try await app.viewer.get(next).json
            listed += page.data.array
            path = page.nextCursor.string.map { "/v1/questions?limit=40&person=\(person.escaped)&cursor=\($0)" }
        }
        let expected = model.questions.values.sorted { $0.id < $1.id }
        #expect(listed.map(\.id.identifier) == expected.map(\.id))
        for (shown, question) in zip(listed, expected) {
            #expect(shown.isSame(as: JSON(question, model, at: now)), "\(shown)")
            let answers = try await app.viewer.get("/v1/questions/\(question.id.text)/answers").json.data.array
            let given = model.answers[question.id] ?? []
            #expect(answers.map(\.guardian.string) == given.map(\.guardian.text))
            #expect(answers.map(\.answer.string) == given.map(\.kind.rawValue))
            #expect(answers.map(\.revision.int) == given.map(\.revision))
        }
    }
}

extension Command {
    /// The same as the API's words can say it: whole milliseconds, and one guardian who answers each question once.
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
        default: return self
        }
    }
}

extension CommandSource {
    fileprivate mutating func note(_ question: Identifier, _ revision: Int) {
        if revisions.updateValue(revision, forKey: question) == nil { questions.append(question) }
    }
}
