import Consent
import Store
import TestSupport
import Testing

/// What each command leaves in the tables, read by SQL that is not the store's.
@Suite(.timeLimit(.minutes(5))) struct RowTests {
    @Test func aQuestionOfEachTopic() async throws {
        try await TestStore.with("rows_topics") { test in
            _ = try await test.run(.putChange("video", Samples.change, .none))
            let end = Instant(microseconds: Instant.present.microseconds + 3_600_000_007)
            let topics: [(Topic, String)] = [
                (.significantAppUpdate(change: "video"), "significantAppUpdate|video|-|t"),
                (.communication(handles: ["h-2", "h-1"]), "communication|-|{h-2,h-1}|t"),
                (.purchase(product: "ha\"t,{}\\"), "purchase|ha\"t,{}\\|-|f"),
                (.custom(subject: "s", reusable: true), "custom|s|-|t"),
                (.custom(subject: "once", reusable: false), "custom|once|-|f"),
            ]
            for (topic, expected) in topics {
                let ask = AskRequest(
                    person: "p", topic: topic, description: "\u{1F600} \"it's\"\n\\", language: "en-GB",
                    expiration: end,
                    quorum: 3)
                let question = try #require(try await test.run(.ask(ask)).question)
                let row = try test.texts(
                    """
                    select concat_ws('|', topic, coalesce(topic_value, '-'), coalesce(handles::text, '-'), reusable)
                    from question where id = '\(question.id.text)'
                    """)
                #expect(row == [expected])
                let rest = try test.texts(
                    """
                    select concat_ws('|', description, language, quorum, revision, state, ever_approved,
                        extract(epoch from expiration) * 1000000, extract(epoch from created_at) * 1000000,
                        updated_at = created_at, subject = substring(sha256(convert_to(
                        '\(topic.subject.replacing("'", with: "''"))', 'UTF8')) for 16))
                    from question where id = '\(question.id.text)'
                        and num_nulls(resolved_by, resolved_guardian, resolved_at, resolved_reason, superseded_by) = 5
                    """)
                let times = "\(end.microseconds).000000|\(question.createdAt.microseconds).000000"
                #expect(rest == ["\u{1F600} \"it's\"\n\\|en-GB|3|1|pending|f|\(times)|t|t"])
                #expect(try await test.store.question(test.app, question.id)?.question == question)
            }
            #expect(try test.count("select count(*) from person") == 1)
        }
    }

    /// The database does not hold the columns of a question to each other; whoever reads one does.
    @Test func aRowThatDoesNotAddUpIsNotShown() async throws {
        try await TestStore.with("rows_damaged") { test in
            let damages = [
                "resolved_by = 'child', resolved_at = created_at", "state = 'cancelled'", "state = 'gone'",
                "topic = 'gone'", "topic = 'communication'", "topic_value = null",
                "state = 'denied', resolved_by = 'guardian', resolved_at = created_at",
            ]
            for (number, damage) in damages.enumerated() {
                let asking = Samples.ask(CallerID(trusted: "p-\(number)"))
                let question = try #require(try await test.run(asking).question)
                try test.execute("update question set \(damage) where id = '\(question.id.text)'")
                await #expect(throws: StoreFailure.self) { try await test.store.question(test.app, question.id) }
            }
        }
    }

    @Test func answersAndWhatTheyDoToTheQuestion() async throws {
        try await TestStore.with("rows_answers") { test in
            let question = try #require(try await test.run(Samples.ask("p", quorum: 2)).question)
            let state =
                "select concat_ws('|', state, revision, ever_approved, resolved_by, resolved_guardian, resolved_reason) from question"
            let first = AnswerRequest(
                guardian: "g-1", kind: .approval, reason: "fine",
                verification: Verification(method: "pin", reference: "r-7"))
            _ = try await test.run(.answer(question: question.id, first))
            #expect(try test.texts(state) == ["pending|2|f"])
            _ = try await test.run(Samples.approval(question.id, "g-2"))
            #expect(try test.texts(state) == ["approved|3|t|guardian|g-2"])
            let denial = AnswerRequest(guardian: "g-1", kind: .denial, reason: "no more")
            _ = try await test.run(.answer(question: question.id, denial))
            #expect(try test.texts(state) == ["revoked|4|t|guardian|g-1|no more"])
            let answers = try test.texts(
                """
                select concat_ws('|', revision, guardian, answer, coalesce(reason, '-'), coalesce(verification_method, '-'),
                    coalesce(verification_reference, '-'), voided_at is null,
                    answered_at = (select e.at from event e where e.question_id = a.question_id and e.revision = a.revision))
                from answer a order by revision
                """)
            #expect(
                answers == [
                    "2|g-1|approval|fine|pin|r-7|t|t", "3|g-2|approval|-|-|-|t|t", "4|g-1|denial|no more|-|-|t|t",
                ])
            #expect(
                try test.count(
                    "select count(*) from question where updated_at = resolved_at and updated_at > created_at")
                    == 1)
        }
    }

    @Test func cancellingAndExpiring() async throws {
        try await TestStore.with("rows_ends") { test in
            let one = try #require(try await test.run(Samples.ask("p", "one")).question)
            _ = try await test.run(.cancel(question: one.id, by: .child, reason: "oops"))
            let two = try #require(try await test.run(Samples.ask("p", "two")).question)
            _ = try await test.run(.cancel(question: two.id, by: .admin, reason: nil))
            let three = try #require(try await test.run(Samples.ask("p", "three")).question)
            guard case .done(.expired(false)) = try await test.run(.expire(question: three.id)) else {
                Issue.record("expired too early")
                return
            }
            try test.makeOverdue([three.id])
            guard case .done(.expired(true)) = try await test.run(.expire(question: three.id)) else {
                Issue.record("not expired")
                return
            }
            let rows = try test.texts(
                """
                select concat_ws('|', topic_value, state, revision, resolved_by, coalesce(resolved_reason, '-'),
                    resolved_at = expiration) from question order by id
                """)
            #expect(
                rows == [
                    "one|cancelled|2|child|oops|f", "two|cancelled|2|admin|-|f", "three|expired|2|silence|-|t",
                ])
        }
    }

    @Test func askingAgainAfterADenialSupersedes() async throws {
        try await TestStore.with("rows_superseded", policy: Policy(askAgainSeconds: 0)) { test in
            let first = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(Samples.denial(first.id))
            let second = try #require(try await test.run(Samples.ask("p")).question)
            #expect(second.id != first.id)
            let rows = try test.texts(
                "select concat_ws('|', state, revision, superseded_by = '\(second.id.text)') from question order by id")
            #expect(rows == ["denied|3|t", "pending|1"])
            let types = try await test.log().suffix(3).map(\.type)
            #expect(types == [.questionDenied, .questionSuperseded, .questionCreated])
        }
    }

    /// While the clock is behind the last change, moments still only grow, and with them the order of questions.
    @Test func aClockThatWasSetBackPutsNothingOutOfOrder() async throws {
        try await TestStore.with("rows_clock") { test in
            let purchase = Command.ask(AskRequest(person: "p", topic: .purchase(product: "hat"), description: "A hat?"))
            let first = try #require(try await test.run(purchase).question)
            _ = try await test.run(Samples.approval(first.id))
            try test.execute("update question set updated_at = updated_at + interval '1 hour'")
            var last = first.id
            for _ in 0..<12 {
                let asked = try await test.run(purchase)
                let question = try #require(asked.question)
                #expect(asked.asked == .created && question.id > last)
                #expect(try await test.run(purchase).question?.id == question.id)
                let approved = try #require(try await test.run(Samples.approval(question.id)).question)
                #expect(approved.updatedAt > question.updatedAt)
                last = question.id
            }
        }
    }

    @Test func linksAndTheApprovalsThatAnUnlinkVoids() async throws {
        try await TestStore.with("rows_links") { test in
            for guardian: CallerID in ["g-1", "g-2"] {
                #expect(try await test.run(.link(person: "p", guardian: guardian)).created == true)
            }
            #expect(try test.texts("select concat_ws('|', ever_linked, revision) from person") == ["t|1"])
            let waiting = try #require(try await test.run(Samples.ask("p", "waiting", quorum: 2)).question)
            let decided = try #require(try await test.run(Samples.ask("p", "decided", quorum: 1)).question)
            for question in [waiting, decided] { _ = try await test.run(Samples.approval(question.id)) }
            guard case .done(.unlinked) = try await test.run(.unlink(person: "p", guardian: "g-1")) else {
                Issue.record("not unlinked")
                return
            }
            #expect(try test.texts("select guardian from guardian_link") == ["g-2"])
            #expect(try test.texts("select question_id from answer where voided_at is not null") == [waiting.id.text])
            let event = try #require(try await test.log().last)
            #expect(event.data == .unlinked(guardian: "g-1", voided: [waiting.id]))
            // The other's approval alone does not make two, and the one who left may not answer again.
            #expect(try await test.run(Samples.approval(waiting.id, "g-2")).question?.state == .pending)
            #expect(try await test.run(Samples.approval(waiting.id)).refusal == .guardianNotLinked)
            #expect(try await test.store.question(test.app, decided.id)?.question.state == .approved)
        }
    }

    @Test func acknowledgmentsChangesAndKeys() async throws {
        try await TestStore.with("rows_rest") { test in
            _ = try await test.run(.putPerson("p", Samples.adult, .none))
            #expect(try await test.run(.putChange("video", Samples.change, .none)).created == true)
            #expect(
                try test.texts(
                    "select concat_ws('|', version, build, features, languages, descriptions, revision) from change")
                    == ["2.0|104|{video}|{de,en}|{\"Neu: Videoanrufe.\",\"Adds video calling.\"}|1"])
            #expect(try await test.run(.acknowledge(person: "p", change: "video")).created == true)
            #expect(
                try test.count(
                    "select count(*) from acknowledgment k join person p on p.ref = k.person_ref where p.id = 'p'") == 1
            )
            let id = Identifier(high: 1, low: 2)
            let new = NewKey(id: id, role: .viewer, label: "l", secretHash: Array(0..<32))
            _ = try await test.run(.createKey(new))
            #expect(
                try test.texts("select concat_ws('|', app_id, role, label, encode(secret_hash, 'hex')) from api_key")
                    == ["reader|viewer|l|000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"])
            #expect(try await test.store.credential(id)?.secretHash == new.secretHash)
            _ = try await test.run(.revokeKey(id))
            #expect(try test.count("select count(*) from api_key where revoked_at >= created_at") == 1)
            #expect(try await test.store.credential(id)?.key.revokedAt != nil)
            #expect(try await test.store.keys(test.app).isEmpty)
        }
    }

    @Test func anAppBringsItsCounterAndItsFeed() async throws {
        try await TestStore.with("rows_apps") { test in
            let settings = AppSettings(
                name: "N\u{e4}me", bundleID: "com.example.a", appAppleID: "1234567890",
                environments: [.production, .sandbox], allowedOrigins: ["https://a.example", "https://b.example"],
                policy: Samples.unusualPolicy)
            let app = AppID(trusted: "other")
            #expect(try await test.run(.putApp(settings, .absent), app: app).created == true)
            #expect(
                try test.texts(
                    """
                    select concat_ws('|', name, bundle_id, app_apple_id, environments, allowed_origins,
                        default_expiration_seconds, ask_again_seconds, default_quorum, require_guardian_links,
                        adult_not_confirmed, revision, c.seq)
                    from app a join event_counter c on c.app_id = a.id where a.id = 'other'
                    """)
                    == [
                        "N\u{e4}me|com.example.a|1234567890|{production,sandbox}|{https://a.example,https://b.example}|60|0|2|t|acknowledge|1|1"
                    ])
            #expect(try await test.store.app(app)?.settings == settings)
            let feed = try test.texts("select feed_id from app where id = 'other'")
            var changed = settings
            changed.name = "Other"
            #expect(try await test.run(.putApp(changed, .revisions([1])), app: app).created == false)
            #expect(try test.texts("select feed_id from app where id = 'other'") == feed)
            #expect(try await test.store.app(app)?.revision == 2)
            #expect(try await test.store.allowedOrigins() == [app: settings.allowedOrigins])
        }
    }
}
