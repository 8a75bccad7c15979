import Consent
import Testing
import TestSupport

@testable import Store

/// Tickets for streams: kept as hashes, used once, and taken away when nobody used them.
@Suite(.timeLimit(.minutes(5))) struct StreamTicketTests {
    private static let key = Identifier(high: 7, low: 7)

    private func ticket(
        _ number: UInt8, token: TokenTerms? = nil, personRef: Identifier? = nil, question: Identifier? = nil,
        types: [EventType]? = nil
    ) -> StreamTicket {
        StreamTicket(
            hash: [UInt8](repeating: number, count: 32), key: Self.key, token: token, personRef: personRef,
            question: question,
            types: types)
    }

    private func used(_ reply: Reply) -> UsedTicket? {
        if case .done(.used(let used)) = reply { used } else { nil }
    }

    @Test func isUsedOnceWithAllItWasMadeWith() async throws {
        try await TestStore.with("tickets_once") { test in
            let person = try #require(try await test.run(.putPerson("p", Samples.minor, .none)).person)
            let question = try #require(try await test.run(Samples.ask("p")).question)
            let (holder, end) = (Identifier(high: 9, low: 9), try test.now().adding(seconds: 600))
            let tickets = [
                ticket(1), ticket(2, personRef: person.ref), ticket(3, question: question.id),
                ticket(4, personRef: person.ref, types: [.questionApproved, .questionDenied]),
                ticket(5, token: TokenTerms(holder: holder, guardian: "g", endsAt: end)),
                ticket(
                    6, token: TokenTerms(holder: holder, guardian: nil, endsAt: end), personRef: person.ref,
                    question: question.id),
            ]
            for ticket in tickets {
                let before = try test.now()
                guard case .done(.ticket(let end)) = try await test.run(.keepTicket(ticket)) else {
                    Issue.record("not kept")
                    continue
                }
                let after = try test.now()
                #expect(end >= before.adding(seconds: 60) && end <= after.adding(seconds: 60))
            }
            for ticket in tickets {
                let used = used(try await test.run(.useTicket(ticket.hash)))
                #expect(used?.ticket == ticket && used?.person == (ticket.personRef == nil ? nil : "p"))
                #expect(self.used(try await test.run(.useTicket(ticket.hash))) == nil)
            }
            #expect(try test.count("select count(*) from stream_ticket") == 0)
            // Tickets tell the log nothing.
            #expect(try await test.log().allSatisfy { $0.type != .keyCreated })
        }
    }

    @Test func isGoodForItsAppAndForAMinute() async throws {
        try await TestStore.with("tickets_minute") { test in
            let other = AppID(trusted: "other")
            _ = try await test.run(.putApp(AppSettings(name: "Other"), .none), app: other)
            for number in 1...3 { _ = try await test.run(.keepTicket(ticket(UInt8(number)))) }
            #expect(used(try await test.run(.useTicket(ticket(1).hash), app: other)) == nil)
            #expect(used(try await test.run(.useTicket(ticket(9).hash))) == nil)
            try test.execute(
                "update stream_ticket set expires_at = clock_timestamp() where hash <> decode(repeat('01', 32), 'hex')")
            #expect(used(try await test.run(.useTicket(ticket(2).hash))) == nil)
            #expect(used(try await test.run(.useTicket(ticket(1).hash))) != nil)
            // Those that nobody used in time wait for retention.
            #expect(try await test.prune(.tickets(limit: 1)) == 1)
            #expect(try await test.prune(.tickets(limit: 500)) == 1)
            #expect(try await test.prune(.tickets(limit: 500)) == 0)
            #expect(
                try await test.run(.useTicket(ticket(1).hash), app: AppID(trusted: "nowhere")).refusal == .unknownApp)
        }
    }

    @Test func isGoodNoLongerThanTheTokenThatAskedForIt() async throws {
        try await TestStore.with("tickets_token") { test in
            let holder = Identifier(high: 9, low: 9)
            let end = try test.now().adding(milliseconds: 400)
            let terms = TokenTerms(holder: holder, guardian: "g", endsAt: end)
            for number in 1...2 { _ = try await test.run(.keepTicket(ticket(UInt8(number), token: terms))) }
            if let used = used(try await test.run(.useTicket(ticket(1).hash))) { #expect(used.at < end) }
            try await test.pass(end)
            #expect(used(try await test.run(.useTicket(ticket(2).hash))) == nil)
        }
    }

    @Test func aPersonWhoIsErasedIsNobodys() async throws {
        try await TestStore.with("tickets_erased") { test in
            let person = try #require(try await test.run(.putPerson("p", Samples.minor, .none)).person)
            _ = try await test.run(.keepTicket(ticket(1, personRef: person.ref)))
            _ = try await test.run(.erase(person: "p", by: .admin))
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            let found = try #require(used(try await test.run(.useTicket(ticket(1, personRef: person.ref).hash))))
            #expect(found.person == nil && found.ticket.personRef == person.ref)
        }
    }

    @Test func ofAllWhoComeWithItOneHasIt() async throws {
        try await TestStore.with("tickets_race") { test in
            let stores = [test, TestStore(test.settings)]
            for round in 0..<20 {
                let ticket = ticket(UInt8(round))
                _ = try await test.run(.keepTicket(ticket))
                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<8 {
                        group.addTask { used(try await stores[number % 2].run(.useTicket(ticket.hash))) != nil }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(winners == 1)
            }
            #expect(try test.count("select count(*) from stream_ticket") == 0)
            await stores[1].store.stop(within: .seconds(5))
        }
    }

    @Test func aRepeatOfItsMakingShowsNoMoreThanItsEnd() async throws {
        try await TestStore.with("tickets_keyed") { test in
            guard case .done(.ticket(let end)) = try await test.run(.keepTicket(ticket(1)), key: Samples.key("k"))
            else {
                Issue.record("not kept")
                return
            }
            let replay = try await test.run(.keepTicket(ticket(2)), key: Samples.key("k")).replay
            #expect(replay?.status == 201 && replay?.resource == .ticket(expiresAt: end))
            #expect(try test.count("select count(*) from stream_ticket") == 1)
        }
    }

    @Test func inOneBatchToo() async throws {
        try await TestStore.with("tickets_batch") { test in
            _ = try await test.run(.keepTicket(ticket(1)))
            let batch = try await OneBatch(test)
            let replies = try await batch.replies([
                .useTicket(ticket(1).hash), .useTicket(ticket(1).hash), .keepTicket(ticket(2)),
            ])
            #expect(used(replies[0]) != nil && used(replies[1]) == nil)
            #expect(try test.count("select count(*) from stream_ticket") == 1)
        }
    }
}
