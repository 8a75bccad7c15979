import Consent
import JSON
import Store
import Testing

@testable import TestSupport

/// Random histories over HTTP and a real database against the domain's rules on paper: every reply, every event, what
/// everybody may do on the way, and what stands at the end.
///
/// In each round the persons' histories run at once, each in its own order; between the rounds the app's policy, changes
/// and age ratings change while everybody is still.
@Suite(.timeLimit(.minutes(5))) struct DifferentialTests {
    private typealias Round = [(person: CallerID?, steps: [HistoryWalk.Step])]

    @Test(arguments: [21, 22, 23]) func historiesOverHTTPAgreeWithTheModel(seed: UInt64) async throws {
        var founding = AppSettings(name: "Test", policy: Policy(askAgainSeconds: 0, reminderSeconds: 1))
        founding.policy.requireGuardianLinks = seed == 22
        let app = try await TestService.get().newApp(JSON(founding).encoded)
        let foundation =
            [Command.putApp(founding, .none)]
            + CommandSource.changes.map { .putChange($0, Samples.change, .none) }
        for command in foundation.dropFirst() {
            #expect(try await Spelling(command, app: app.id)?.send(app).status == 201)
        }
        var histories = try CommandSource.persons.enumerated().map { number, person in
            try RandomHistory(person, seed * 10 + UInt64(number), app)
        }
        var appHistory = try RandomHistory(nil, seed * 10 + 9, app)
        var rounds: [Round] = []
        for number in 0..<5 {
            rounds.append(try await Self.round(&histories) { try await $0.advance(30) })
            if number == 2 {
                rounds.append(try await Self.round(&histories) { try await $0.play(CommandSource.waiting(for: "c-2")) })
                rounds.append([(person: nil, steps: try await appHistory.withdraw("c-2"))])
                rounds.append(try await Self.round(&histories) { try await $0.cancelWithdrawn() })
            }
            rounds.append([(person: nil, steps: try await appHistory.advance(5))])
        }
        let log = try await app.events("/v1/events")
        #expect(log.map(\.seq.int) == (1...log.count).map { $0 })
        var logs = Self.logs(log, histories)

        var model = Model(AppID(trusted: app.id))
        for command in foundation {
            let event = logs[nil]?.popFirst()
            _ = model.run(command, key: nil, Model.Chosen(now: try #require(event?.timestamp.moment)))
        }
        for (person, steps) in rounds.joined() {
            var walk = HistoryWalk(model, person, logs[person] ?? [])
            try walk.follow(steps)
            (model, logs[person]) = (walk.model, walk.log)
        }
        for (person, rest) in logs { #expect(rest.isEmpty, "\(person as Any): more events than the model has") }
        try await Self.settle(model)
        for person in CommandSource.persons { try await Self.expectSame(model, person, app) }
        for question in model.questions.values where model.personID(question.personRef) == nil {
            try await Self.expectForgotten(question, model, app)
        }
    }

    /// Lets every person's history go on at once.
    private static func round(
        _ histories: inout [RandomHistory],
        _ body: @escaping @Sendable (inout RandomHistory) async throws -> [HistoryWalk.Step]
    ) async throws -> Round {
        let taken = try await withThrowingTaskGroup(of: (Int, RandomHistory, [HistoryWalk.Step]).self) { group in
            for (number, history) in histories.enumerated() {
                group.addTask {
                    var history = history
                    let steps = try await body(&history)
                    return (number, history, steps)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (number, history, _) in taken { histories[number] = history }
        return taken.map { (person: $0.1.person, steps: $0.2) }
    }

    /// Each person's events, as they were before the erasures that took their names out of the log, and the app's.
    private static func logs(_ log: [JSON], _ histories: [RandomHistory]) -> [CallerID?: ArraySlice<JSON>] {
        var logs: [CallerID?: ArraySlice<JSON>] = [:]
        logs[nil] = log.filter { $0.personRef == .null && $0.type != "key.created" }[...]
        for history in histories {
            guard let person = history.person else { continue }
            let known = Set(history.remembered.compactMap(\.seq.int))
            let refs = Set(history.remembered.compactMap(\.personRef.string))
            let others = log.filter { event in
                event.person.string.map { CallerID(trusted: $0) } == person
                    || event.personRef.string.map { refs.contains($0) } ?? false
            }
            let all = history.remembered + others.filter { !known.contains($0.seq.int ?? 0) }
            logs[person] = all.sorted { ($0.seq.int ?? 0) < ($1.seq.int ?? 0) }[...]
        }
        return logs
    }

    /// Returns once what expires soon has expired.
    private static func settle(_ model: Model) async throws {
        let now = Instant.present
        let soon = model.questions.values.map(\.expiration).filter { $0 < now.adding(seconds: 10) }.max() ?? now
        if soon >= now { try await Task.sleep(for: .microseconds(soon.microseconds - now.microseconds + 1_000)) }
    }

    /// Holds what the API lists of a person against the model.
    private static func expectSame(_ model: Model, _ person: CallerID, _ app: TestApp) async throws {
        var listed: [JSON] = []
        var path: String? = "/v1/questions?limit=40&person=\(person.escaped)"
        let now = Instant.present
        while let next = path {
            let page = try await app.viewer.get(next).json
            listed += page.data.array
            path = page.nextCursor.string.map { "/v1/questions?limit=40&person=\(person.escaped)&cursor=\($0)" }
        }
        let ref = model.persons[person]?.ref
        let expected = model.questions.values.filter { $0.personRef == ref }.sorted { $0.id < $1.id }
        #expect(listed.map(\.id.identifier) == expected.map(\.id))
        for (shown, question) in zip(listed, expected) {
            #expect(shown.isSame(as: JSON(question, model, at: now)), "\(shown)")
            let answers = try await app.viewer.get("/v1/questions/\(question.id.text)/answers").json.data
            #expect(answers.isSame(as: .array((model.answers[question.id] ?? []).map { JSON($0) })), "\(answers)")
        }
        let guardians = try await app.viewer.get("/v1/persons/\(person.escaped)/guardians").json.data.array
        #expect(guardians.compactMap(\.guardian.string) == model.persons[person]?.guardians.map(\.text) ?? [])
    }

    /// Holds what the API shows of an erased person's question against the model; its guardians have names of their own.
    private static func expectForgotten(_ question: Question, _ model: Model, _ app: TestApp) async throws {
        let path = "/v1/questions/\(question.id.text)"
        let given = model.answers[question.id] ?? []
        let shown = try await app.viewer.get(path + "/answers").json.data
        var names: [CallerID: CallerID] = [:]
        for (answer, shown) in zip(given, shown.array) {
            names[answer.guardian] = CallerID(trusted: shown.guardian.string ?? "")
        }
        #expect(Set(names.values).count == names.count && names.values.allSatisfy { $0.text.hasPrefix("erased-") })
        let expected = given.map { JSON($0).adding("guardian", JSON(optional: names[$0.guardian]?.text)) }
        #expect(shown.isSame(as: .array(expected)))
        let now = Instant.present
        #expect(try await app.viewer.get(path).json.isSame(as: JSON(question.erased(names), model, at: now)))
    }
}
