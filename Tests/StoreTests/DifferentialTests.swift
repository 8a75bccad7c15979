import Consent
import Store
import Testing
@testable import TestSupport

/// Random histories: the database and the domain's rules on paper must agree on every reply, event and row.
@Suite(.timeLimit(.minutes(5))) struct DifferentialTests {
    @Test(arguments: [1, 2]) func aHistoryOneByOneAgreesWithTheModel(seed: UInt64) async throws {
        let policy = Policy(askAgainSeconds: 0, reminderSeconds: 1)
        try await TestStore.with("differential_\(seed)", policy: policy) { test in
            var source = CommandSource(seed: seed, changesPolicy: true)
            var steps: [(command: Command, key: IdempotencyKey?, reply: Reply, doneBy: Instant)] = []
            for _ in 0..<1_500 {
                var command = source.next(now: .present)
                var key = source.key(for: command)
                if source.random.once(in: 25), let earlier = steps.suffix(40).last(where: { $0.key != nil }) {
                    (command, key) = (earlier.command, earlier.key)
                }
                let reply = try await test.run(command, key: key)
                source.note(reply)
                steps.append((command, key, reply, .present))
            }
            let events = try await test.log()
            #expect(events.map(\.seq) == (1...Int64(events.count)).map { $0 })
            var model = Model(test.app)
            let founding = Command.putApp(AppSettings(name: "Reader", policy: policy), .none)
            let first = try #require(events.first)
            // What the model would have in the log by now, each with the step it is of.
            var log = model.run(founding, key: nil, Model.Chosen(now: first.at)).1.map { (told: $0, step: -1) }
            for (number, step) in steps.enumerated() {
                // What came after its reply is another step's, and that step's moment.
                let own = events.dropFirst(log.count).prefix { $0.at <= step.doneBy }
                var chosen = chosen(for: step.reply, own, model)
                if case (.remind(let question), .done(.reminded(false))) = (step.command, step.reply),
                    model.questions[question]?.isOverdue(at: step.doneBy) == true
                {
                    // It may have expired since the step before, and nobody is reminded of that.
                    chosen.now = step.doneBy
                }
                var erased: Identifier?
                if case (.erase(let person, by: _), .done(.erased)) = (step.command, step.reply),
                    let ref = model.persons[person]?.ref
                {
                    erased = ref
                    chosen.names = try NewNames(log.map(\.told), events, of: ref).names
                }
                let (reply, told) = model.run(step.command, key: step.key, chosen)
                try #require(reply.text == step.reply.text, "step \(number) of seed \(seed): \(step.command)")
                let types = events.dropFirst(log.count).prefix(told.count).map(\.type)
                try #require(told.map(\.type) == types, "step \(number) of seed \(seed): \(step.command)")
                log += told.map { (told: $0, step: number) }
                guard let erased else { continue }
                for index in log.indices where log[index].told.personRef == erased {
                    log[index].told = log[index].told.erased(chosen.names)
                }
            }
            #expect(log.count == events.count)
            for ((told, step), event) in zip(log, events) {
                try #require(
                    told == Told(event), "step \(step) of seed \(seed): \(step < 0 ? founding : steps[step].command)")
                #expect(event.person == event.personRef.flatMap { model.personID($0) })
            }
            try await model.expectSame(as: test)
            try await model.expectSameAccess(as: test)
            // What stores tell has histories of its own, below, and webhooks have tests of their own.
            let types = Set(events.map(\.type)).union([
                .accountRegistered, .notificationReceived, .notificationQuarantined, .notificationUnattributed,
                .webhookEndpointDisabled,
            ])
            #expect(EventType.allCases.filter { !types.contains($0) } == [], "seldom enough to be left out")
        }
    }

    /// What the database chose for a step: told by its reply, or by the events that come next in the log.
    private func chosen(for reply: Reply, _ log: ArraySlice<EventRecord>, _ model: Model) -> Model.Chosen {
        let next = log.first
        // What changed nothing leaves no trace of when it looked: not before the step before.
        var chosen = Model.Chosen(now: reply.moment ?? next?.at ?? model.now)
        switch reply {
        case .done(.expired(false)), .done(.reminded(false)): chosen.now = model.now
        case .done(.ageRating(let report)) where !report.isRecorded:
            chosen.now = report.outcome == .unchanged ? report.baseline?.lastObservedAt ?? model.now : model.now
        case .done(.askedAll(_, let items)) where items.isEmpty: chosen.now = model.now
        default: break
        }
        if let next, next.type == .personUpdated, let ref = next.personRef, model.personID(ref) == nil,
            case .person(_, rescindedAt: _, revision: _, let createdAt, updatedAt: _) = next.data
        {
            chosen.personRef = ref
            chosen.personCreatedAt = createdAt
        }
        if reply.asked == .created, let question = reply.question { chosen.question = question.id }
        for item in reply.askedItems ?? [] where item.asked == .created {
            chosen.questions[item.change] = item.question?.id
        }
        return chosen
    }

    @Test(arguments: [21, 22, 23]) func whatStoresTellAgreesWithTheModel(seed: UInt64) async throws {
        let policy = Policy(askAgainSeconds: 0, rescissionMarginSeconds: 1)
        try await TestStore.with("differential_stores_\(seed)", policy: policy) { test in
            var source = StoreCommandSource(seed: seed)
            var model = Model(test.app)
            let founding = Command.putApp(AppSettings(name: "Reader", policy: policy), .none)
            let first = try #require(try await test.log().first)
            _ = model.run(founding, key: nil, Model.Chosen(now: first.at))
            var last = first.seq
            var seen: Set<StoreNotification.Status> = []
            for number in 0..<1_200 {
                let command = source.next(now: .present)
                let reply = try await test.run(command)
                if let question = reply.question, !source.questions.contains(question.id) {
                    source.questions.append(question.id)
                }
                if let notice = reply.notification {
                    source.notices.append(notice.id)
                    seen.insert(notice.status)
                }
                let page = try await test.store.events(test.app, .all, after: last, limit: 100)
                let written = try #require(page).events
                last = written.last?.seq ?? last
                var chosen = chosen(for: reply, written[...], model)
                if let notice = reply.notification { chosen.notification = notice.id }
                // What only remembers a signature leaves no other trace of when it was.
                if written.isEmpty, let signedAt = reply.registered?.account.signedAt {
                    chosen.now = max(chosen.now, signedAt)
                }
                let (expected, told) = model.run(command, key: nil, chosen)
                try #require(expected.text == reply.text, "step \(number) of seed \(seed): \(command)")
                try #require(written.map(Told.init) == told, "step \(number) of seed \(seed): \(command)")
            }
            #expect(seen == Set(StoreNotification.Status.allCases))
            try await model.expectSame(as: test)
        }
    }

    @Test(arguments: [11, 12]) func aHistoryOfManyAtOnceAgreesWithItsOwnLog(seed: UInt64) async throws {
        let policy = Policy(askAgainSeconds: 0, ageRatingOpensChange: true, reminderSeconds: 1)
        try await TestStore.with("concurrent_\(seed)", policy: policy) { test in
            let other = TestStore(test.settings)
            let replies = try await withThrowingTaskGroup(of: [Reply].self) { group in
                for worker in 0..<12 {
                    let store = worker % 2 == 0 ? test : other
                    group.addTask {
                        var source = CommandSource(seed: seed * 100 + UInt64(worker), changesPolicy: false)
                        var replies: [Reply] = []
                        for step in 0..<110 {
                            let command = source.next(now: .present)
                            replies.append(try await store.run(command, key: source.key(for: command)))
                            if let reply = replies.last { source.note(reply) }
                            if step % 10 == 0 {
                                for record in try await store.recent() { source.note(record.question) }
                            }
                        }
                        return replies
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let replay = try LogReplay(test.app, try await test.log())
            try await replay.model.expectSame(as: test, knowsAll: false)
            replay.expectConsistent(replies)
            await other.store.stop(within: .seconds(5))
        }
    }
}

extension TestStore {
    /// The newest questions, of whomever.
    fileprivate func recent() async throws -> [QuestionRecord] {
        let lately = Instant(microseconds: Instant.present.microseconds - 200_000)
        return try await store.questions(app, QuestionFilter(createdAfter: lately), after: nil, limit: 100).rows
    }
}
