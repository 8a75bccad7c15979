import Consent
import Store
import TestSupport
import Testing

/// A person who is forgotten: nothing that a caller wrote of them is left anywhere, and what happened is.
@Suite(.timeLimit(.minutes(5))) struct ErasureTests {
    /// Everything that can be said of a person, with a word in it to search for; all of it before a rescission.
    private func fill(_ test: TestStore, _ person: CallerID, _ word: String) async throws -> [Question] {
        func id(_ text: String) -> CallerID { CallerID(trusted: text + word) }
        _ = try await test.run(.putChange("c-1", Samples.change, .none))
        _ = try await test.run(.putPerson(person, Samples.minor, .none), key: Samples.key("put-" + word))
        for guardian in ["a-", "b-", "z-"] {
            _ = try await test.run(.link(person: person, guardian: id(guardian)), key: Samples.key(guardian + word))
        }
        _ = try await test.run(.unlink(person: person, guardian: id("z-")))
        var questions: [Question] = []
        let topics: [Topic] = [
            .significantAppUpdate(change: "c-1"), .communication(handles: [id("h-"), id("i-")]),
            .purchase(product: id("hat-")), .custom(subject: id("subject-"), reusable: true),
            .custom(subject: id("waits-"), reusable: true),
        ]
        for topic in topics {
            let request = AskRequest(
                person: person, topic: topic,
                description: topic.kind == .significantAppUpdate ? nil : "May I, " + word + "?", quorum: 2)
            let reply = try await test.run(.ask(request), key: Samples.key("ask \(questions.count) " + word))
            questions.append(try #require(reply.question))
        }
        func answer(_ number: Int, _ guardian: String, _ kind: AnswerKind) async throws {
            let request = AnswerRequest(
                guardian: id(guardian), kind: kind, reason: "because " + word,
                verification: Verification(method: "pin", reference: "ref-" + word))
            _ = try await test.run(.answer(question: questions[number].id, request))
        }
        for number in 0..<3 { try await answer(number, "a-", .approval) }
        try await answer(0, "b-", .approval)
        try await answer(1, "b-", .denial)
        _ = try await test.run(.cancel(question: questions[2].id, by: .child, reason: "no more " + word))
        _ = try await test.run(
            .answerMany(
                person: person,
                [
                    AnswerItem(
                        question: questions[3].id,
                        answer: AnswerRequest(guardian: id("a-"), kind: .denial, reason: word), revision: 1)
                ]), key: Samples.key("many " + word))
        return questions
    }

    @Test func nothingWrittenOfAPersonIsLeft() async throws {
        try await TestStore.with("erasure") { test in
            _ = try await fill(test, "other", "kept-word")
            _ = try await test.run(.rescind(person: "other", .person, reason: "kept-word"))
            let others = try test.dump().filter { $0.contains("kept-word") }
            let questions = try await fill(test, "p-secret-word", "secret-word")
            _ = try await test.run(
                .rescind(person: "p-secret-word", .person, reason: "gone secret-word"),
                key: Samples.key("r secret-word"))
            _ = try await test.run(.reinstate(person: "p-secret-word"), key: Samples.key("b secret-word"))
            let again = try await test.run(Samples.ask("p-secret-word", "once-more-secret-word", quorum: 1))
            let pending = try #require(again.question)
            let counts = try test.texts("select state || count(*) from question group by state order by 1")
            #expect(counts.contains("pending1"))
            let before = try await test.log()
            let ref = pending.personRef

            let gone = try await test.run(
                .erase(person: "p-secret-word", by: .child), key: Samples.key("e secret-word"))
            #expect(gone.outcome?.status == 204)
            let left = try test.dump()
            #expect(left.filter { $0.contains("secret-word") } == [])
            #expect(left.filter { $0.contains("kept-word") } == others)

            // Evidence stays: as many events, questions and answers, and who was the same guardian still is.
            let after = try await test.log()
            #expect(after.map(\.type) == before.map(\.type) + [.questionCancelled, .personErased])
            #expect(after.map(\.seq) == (1...Int64(after.count)).map { $0 })
            for event in after where event.personRef == ref { #expect(event.person == nil) }
            #expect(after.last?.data == .erased && after.last?.personRef == ref)
            for question in questions + [pending] {
                let record = try #require(try await test.store.question(test.app, question.id))
                #expect(record.person == nil && record.question.personRef == ref)
                #expect(record.question.description == "erased" && record.question.state != .pending)
                #expect(record.question.resolution?.reason == nil)
            }
            let change = try #require(try await test.store.question(test.app, questions[0].id))
            #expect(change.question.topic == .significantAppUpdate(change: "c-1"))
            let answers = try #require(try await test.store.answers(test.app, question: questions[0].id))
            #expect(answers.count == 2 && Set(answers.map(\.guardian)).count == 2)
            #expect(
                answers.allSatisfy {
                    $0.reason == nil && $0.verification == Verification(method: "pin", reference: nil)
                })
            let told = after.filter { $0.type == .guardianLinked && $0.personRef == ref }.map(\.data)
            for answer in answers { #expect(told.contains(.linked(guardian: answer.guardian))) }
            let approved = after.last { $0.type == .questionApproved && $0.personRef == ref }
            if case .question(let question, let answer)? = approved?.data {
                #expect(answer?.guardian == answers.last?.guardian && answer?.reason == nil)
                #expect(question.resolution?.by == answer.map { .guardian($0.guardian) })
            } else {
                Issue.record("no approval")
            }
            #expect(
                try test.count("select count(*) from rescission where person_ref = '\(ref.text)' and reason is null")
                    == 1)
        }
    }

    @Test func theSameIdIsSomebodyNew() async throws {
        try await TestStore.with("erasure_anew") { test in
            let old = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(.link(person: "p", guardian: "g-1"))
            #expect(try await test.run(.erase(person: "p", by: .child), key: Samples.key("e")).outcome?.status == 204)
            #expect(try await test.run(.erase(person: "p", by: .child)).refusal == .unknownPerson)
            #expect(try await test.run(.erase(person: "p", by: .child), key: Samples.key("e")).isReplay)
            #expect(try await test.store.person(test.app, "p") == nil)
            #expect(try await test.store.events(test.app, .person("p"), after: 0, limit: 10) == nil)
            // Nobody answers or ends what nobody asks any more.
            #expect(try await test.run(Samples.approval(old.id)).refusal == .unknownQuestion)
            #expect(
                try await test.run(.cancel(question: old.id, by: .admin, reason: nil)).refusal == .unknownQuestion)
            let new = try #require(try await test.run(Samples.ask("p")).question)
            #expect(new.personRef != old.personRef && new.id != old.id)
            let person = try #require(try await test.store.person(test.app, "p"))
            #expect(person.ref == new.personRef && !person.everLinked)
            // Anybody may answer for somebody who never had a guardian.
            #expect(try await test.run(Samples.approval(new.id, "g-9")).question?.state == .approved)
            try test.expectRecounted()
        }
    }

    @Test func whatStoresSentGoesAndARescissionIsNotForgotten() async throws {
        try await TestStore.with("erasure_stores") { test in
            func told(_ type: String) -> StoreNotice {
                Notices.information(type, uuid: type, about: "a-secret")
            }
            // Before and after the account is somebody's; and by name alone.
            _ = try await test.run(.receive(told("SUBSCRIBED")))
            _ = try await test.run(Notices.register("p-secret", "a-secret"), key: Samples.key("r-secret"))
            _ = try await test.run(Notices.register("p-secret", "b-secret", store: .playStore))
            let approved = try #require(try await test.run(Samples.ask("p-secret")).question)
            _ = try await test.run(Samples.approval(approved.id))
            _ = try await test.run(.receive(told("DID_RENEW")))
            let kept = try #require(
                try await test.run(.receive(Notices.rescission("a-secret", signed: .ago(30)))).notification)
            #expect(kept.status == .applied)
            let page = try await test.store.storeNotifications(
                test.app, StoreNotificationFilter(person: "p-secret"), after: nil, limit: 10)
            #expect(page.rows.map(\.notification.type) == ["SUBSCRIBED", "DID_RENEW", "RESCIND_CONSENT"])
            _ = try await test.run(.erase(person: "p-secret", by: .child))
            #expect(try test.dump().filter { $0.contains("secret") } == [])
            let shown = try #require(try await test.store.storeNotification(test.app, kept.id))
            #expect(shown.payload == nil && shown.person == nil && shown.notification.account == nil)
            #expect(shown.notification.status == .applied && shown.notification.personRef == kept.personRef)
            #expect(try test.count("select count(*) from store_notification where payload is null") == 3)
            #expect(try test.texts("select length(payload_hash) from store_notification") == ["32", "32", "32"])
            // Only what a rescission names is still remembered, by its digest.
            #expect(try test.texts("select store || coalesce(id, '') from store_account") == ["appStore"])

            // The same notice again is known, and whoever registers the id next is rescinded by it.
            #expect(
                try await test.run(.receive(Notices.rescission("a-secret", signed: .ago(30)))).notification?.id
                    == kept.id)
            let (_, new) = try #require(try await test.run(Notices.register("q", "a-secret")).registered)
            #expect(new.rescindedAt == kept.signedDate)
            let again = try #require(try await test.store.storeNotification(test.app, kept.id))
            #expect(again.notification.status == .applied && again.person == "q")
            try test.expectRecounted()
        }
    }

    @Test func aReturnIsNotForgottenEither() async throws {
        try await TestStore.with("erasure_return") { test in
            for (number, signed) in [Instant?.none, .ago(10)].enumerated() {
                let account = CallerID(trusted: "a-\(number)")
                _ = try await test.run(Notices.register("p", account))
                let kept = try #require(
                    try await test.run(.receive(Notices.rescission(account, signed: .ago(30), uuid: account.text)))
                        .notification)
                if let signed {
                    _ = try await test.run(Notices.register("p", account, signed: signed))
                } else {
                    _ = try await test.run(.reinstate(person: "p"))
                }
                _ = try await test.run(.erase(person: "p", by: .child))
                let (_, new) = try #require(try await test.run(Notices.register("q", account)).registered)
                #expect(!new.isRescinded)
                let shown = try #require(try await test.store.storeNotification(test.app, kept.id))
                #expect(shown.notification.status == .outdated && shown.person == "q")
            }
        }
    }

    @Test func withinOneBatchTheStoresIdsGoToo() async throws {
        try await TestStore.with("erasure_stores_batch") { test in
            let batch = try await OneBatch(test)
            let replies = try await batch.replies([
                Notices.register("p", "a-secret"), .receive(Notices.rescission("a-secret")),
                Notices.register("p", "b-secret"), .erase(person: "p", by: .child), Notices.register("q", "a-secret"),
            ])
            #expect(replies[1].notification?.status == .applied && replies[3].outcome?.status == 204)
            #expect(replies[4].registered?.person.isRescinded == true)
            #expect(try test.dump().filter { $0.contains("secret") }.count == 1)
            #expect(try test.texts("select id from store_account") == ["a-secret"])
            _ = try await test.run(.erase(person: "q", by: .child))
            #expect(try test.dump().filter { $0.contains("secret") } == [])
            try test.expectRecounted()
            await batch.stop()
        }
    }

    @Test func aListShowsTheErasureAtOnce() async throws {
        try await TestStore.with("erasure_list") { test in
            let question = try #require(try await test.run(Samples.ask("p")).question)
            for _ in 0..<2 {
                let rows = try await test.store.questions(test.app, QuestionFilter(), after: nil, limit: 10).rows
                #expect(rows.map(\.person) == ["p"])
            }
            _ = try await test.run(.erase(person: "p", by: .admin))
            let rows = try await test.store.questions(test.app, QuestionFilter(), after: nil, limit: 10).rows
            #expect(rows.map(\.question.id) == [question.id] && rows.map(\.person) == [nil])
            #expect(rows.first?.question.description == "erased" && rows.first?.question.resolution?.by == .admin)
            #expect(rows.first.map { $0.question.revision > question.revision + 1 } == true)
        }
    }

    @Test func withinOneBatchTheOldGoesAndTheNewStays() async throws {
        try await TestStore.with("erasure_batch") { test in
            let batch = try await OneBatch(test)
            let first = try #require(try await test.run(Samples.ask("p", "secret-1")).question)
            func answer(_ id: Identifier) -> Command {
                .answer(question: id, AnswerRequest(guardian: "g-secret", kind: .approval, reason: "secret"))
            }
            let replies = try await batch.replies([
                answer(first.id), Samples.ask("p", "secret-2"), .link(person: "p", guardian: "g-secret"),
                .erase(person: "p", by: .child), Samples.approval(first.id), .erase(person: "p", by: .child),
                .reinstate(person: "p"), Samples.ask("p", "new"), .putPerson("p", Samples.minor, .none),
                .link(person: "p", guardian: "g-new"),
            ])
            #expect(replies[3].outcome?.status == 204)
            #expect(replies[4].refusal == .unknownQuestion && replies[5].refusal == .unknownPerson)
            #expect(replies[6].refusal == .unknownPerson)
            #expect(replies[7].asked == .created && replies[8].created == false && replies[9].created == true)
            #expect(try test.dump().filter { $0.contains("secret") } == [])
            try test.expectRecounted()
            let person = try #require(try await test.store.person(test.app, "p"))
            #expect(person.ref == replies[7].question?.personRef && person.ref != first.personRef)
            #expect(person.revision == 2 && person.facts == Samples.minor && person.everLinked)
            #expect(try await test.store.guardians(test.app, person: "p")?.map(\.guardian) == ["g-new"])
            #expect(try test.count("select count(*) from question") == 3)
            // Twice in one batch, and nobody comes after.
            let twice = try await batch.replies([
                .erase(person: "p", by: .child), Samples.ask("p", "secret-3"), .erase(person: "p", by: .child),
            ])
            #expect(twice.map { $0.outcome?.status } == [204, 201, 204])
            #expect(try test.dump().filter { $0.contains("secret") } == [])
            try test.expectRecounted()
            #expect(try test.count("select count(*) from person where id = 'p'") == 0)
            await batch.stop()
        }
    }

    @Test func whoeverComesMeanwhileFindsSomebodyNew() async throws {
        try await TestStore.with("erasure_race") { test in
            let other = TestStore(test.settings)
            let failures = try await withThrowingTaskGroup(of: [String].self) { group in
                for worker in 0..<8 {
                    let store = worker % 2 == 0 ? test : other
                    group.addTask {
                        var failures: [String] = []
                        for step in 0..<40 {
                            let command: Command =
                                switch (worker + step) % 4 {
                                case 0: .erase(person: "p", by: .child)
                                case 1: .putPerson("p", step % 2 == 0 ? Samples.minor : .unknown, .none)
                                case 2: Samples.ask("p", CallerID(trusted: "s-\(step % 3)"))
                                default: .link(person: "p", guardian: "g-1")
                                }
                            switch (command, try await store.run(command)) {
                            case (_, .done), (.erase, .refused(.unknownPerson, _, _)),
                                (.ask, .refused(.quorumUnreachable, _, _)):
                                break
                            case (_, let reply): failures.append("\(command): \(reply)")
                            }
                        }
                        return failures
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(failures == [])
            _ = try await test.run(.erase(person: "p", by: .child))
            #expect(try test.dump().filter { $0.contains("One more hour") || $0.contains("g-1") } == [])
            #expect(try test.count("select count(*) from question where state = 'pending'") == 0)
            let events = try await test.log()
            #expect(events.map(\.seq) == (1...Int64(events.count)).map { $0 })
            await other.store.stop(within: .seconds(5))
        }
    }
}
