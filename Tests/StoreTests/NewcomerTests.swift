import Consent
import TestSupport
import Testing

@testable import Postgres
@testable import Store

/// Batches whose persons all come with them: what is left out there, when that is expected, and what happens where it was
/// expected wrongly.
@Suite(.timeLimit(.minutes(5))) struct NewcomerTests {
    private let app = AppID(trusted: "reader")
    private let other = AppID(trusted: "other")

    @Test func severalBatchesInARowMakeAForecast() {
        let forecast = NewcomerForecast(after: 3)
        for met in [true, true, false, true, true] {
            forecast.learn(met, in: app)
            #expect(!forecast.expectsNewcomers(in: app))
        }
        forecast.learn(true, in: app)
        #expect(forecast.expectsNewcomers(in: app))
        #expect(!forecast.expectsNewcomers(in: other))
        forecast.learn(false, in: app)
        #expect(!forecast.expectsNewcomers(in: app))
        #expect(NewcomerForecast(after: 0).expectsNewcomers(in: app))
    }

    @Test func onlyWhatConcernsPersonsWhoMayComeAlongCounts() {
        let question = Identifier(high: 1, low: 1)
        let ask = Samples.ask("p")
        let change = Command.putChange("video", Samples.change, .none)
        let mayBe: [[Command]] = [
            [ask], [ask, .putPerson("q", .unknown, .none)], [.link(person: "p", guardian: "g")], [ask, change],
            [ask, .askAll(AskAllRequest(person: "p"))], [ask, .unlink(person: "p", guardian: "g")],
        ]
        let cannotBe: [[Command]] = [
            [change], [ask, Samples.approval(question)], [ask, .askAll(AskAllRequest(person: "q"))],
            [ask, .unlink(person: "q", guardian: "g")], [ask, .erase(person: "p", by: .admin)],
            [ask, .expire(question: question)], [ask, .prune(.questions([question], olderThanSeconds: 1))],
        ]
        func needs(_ commands: [Command]) -> BatchNeeds {
            BatchNeeds(commands.map { Submission(app: app, command: $0) })
        }
        for commands in mayBe { #expect(needs(commands).mayBeOfNewcomers, "\(commands)") }
        for commands in cannotBe { #expect(!needs(commands).mayBeOfNewcomers, "\(commands)") }
    }

    private func names(_ expectsNewcomers: Bool) -> [String] {
        let ask = Command.ask(AskRequest(person: "p", topic: .significantAppUpdate(change: "video")))
        let needs = BatchNeeds([Submission(app: app, command: ask, idempotency: Samples.key("k"))])
        return BatchLoad(app, needs, expectsNewcomers: expectsNewcomers).flight.steps.map(\.statement.key)
    }

    @Test func nothingIsLookedUpAboutThem() {
        let short = names(true)
        #expect(short == ["begin", "person_ensure", "change_share", "idempotency_of_pairs", "app_and_moment"])
        let left = names(false).filter { !short.contains($0) }
        #expect(left == ["person_lock", "question_standing", "guardian_link_of_batch"])
    }

    @Test func theShortWayIsTakenOnceItIsExpected() async throws {
        try await TestStore.with("newcomers_forecast") { test in
            let handler = CommandHandler(
                forecast: NewcomerForecast(after: 2), expires: { _ in }, withdraws: {}, logs: { _ in })
            /// Whether persons were locked by what a batch was decided on; nothing of it is kept.
            func locks(_ persons: [CallerID]) throws -> Bool {
                let connection = try Connection(test.settings)
                defer { connection.close() }
                let items = persons.map { PendingCommand(Submission(app: test.app, command: Samples.ask($0))) }
                _ = try handler.decide(items, on: connection)
                return connection.prepared.contains(PersonTable.lock.key)
            }
            #expect(try locks(["p"]))
            #expect(try locks(["p", "q"]))
            #expect(try !locks(["p", "q"]))
            _ = try await test.run(Samples.ask("p"))
            #expect(try locks(["p", "q"]))
            // It was wrong, so the next batch goes the long way again.
            #expect(try locks(["r"]))
            #expect(try locks(["r"]))
            #expect(try !locks(["r"]))
        }
    }

    @Test func whoWasThereAlreadyIsDecidedOnAsEver() async throws {
        let policy = Policy(requireGuardianLinks: true)
        try await OneBatch.with("newcomers_wrong", policy: policy) { test, batch in
            _ = try await test.run(.link(person: "known", guardian: "g"))
            let denied = try #require(try await test.run(Samples.ask("known", "games")).question)
            _ = try await test.run(Samples.denial(denied.id, "g"))
            let standing = try #require(try await test.run(Samples.ask("known")).question)
            let replies = try await batch.replies([
                .link(person: "new", guardian: "g"), Samples.ask("new"), Samples.ask("known"),
                Samples.ask("known", "games"), .link(person: "known", guardian: "g"),
            ])
            #expect(replies.map(\.created) == [true, true, false, nil, false])
            #expect(replies[2].question?.id == standing.id)
            #expect(replies[3].refusal?.code == "deniedRecently")
            #expect(try test.texts("select id from person order by id") == ["gate", "known", "new"])
            try test.expectRecounted()
        }
    }
}
