import Consent
import Store
import TestSupport
import Testing

/// What the stores send, and whom it concerns.
@Suite(.timeLimit(.minutes(5))) struct NotificationTests {
    // MARK: Keeping

    @Test func whatSaysNothingOfConsentIsKeptOnceAndChangesNothing() async throws {
        try await TestStore.with("notice_kept") { test in
            let notice = Notices.information("SUBSCRIBED", subtype: "INITIAL_BUY", uuid: "u-1")
            let kept = try #require(try await test.run(.receive(notice), key: Samples.key("k")).notification)
            #expect(kept.status == .recorded && kept.type == "SUBSCRIBED" && kept.subtype == "INITIAL_BUY")
            #expect(kept.uuid == "u-1" && kept.environment == .production && !kept.isRescission)
            #expect(kept.signedDate == notice.signedDate && kept.receivedAt > notice.signedDate ?? .present)
            #expect(try await test.run(.receive(notice)).notification == kept)
            #expect(
                try await test.run(.receive(notice), key: Samples.key("k")).replay?.resource == .notification(kept.id))
            // Another store's, and another app's, may be called the same.
            var other = notice
            other = Notices.information("SUBSCRIBED", uuid: "u-1", store: .playStore)
            #expect(try await test.run(.receive(other)).notification?.id != kept.id)
            let shown = try #require(try await test.store.storeNotification(test.app, kept.id))
            #expect(shown.notification == kept && shown.payload == notice.payload && shown.person == nil)
            #expect(try await test.store.storeNotification(test.app, Identifier(high: 1, low: 1)) == nil)
            let told = try await test.log().filter { $0.type == .notificationReceived }
            #expect(told.map(\.data).first == .notification(kept) && told.count == 2)
            #expect(
                try test.texts("select payload_hash = sha256(convert_to(payload, 'UTF8')) from store_notification")
                    == ["true", "true"])
            #expect(try test.count("select count(*) from store_account") == 0)
        }
    }

    @Test func whatIsInQuarantineIsJudgedAgain() async throws {
        try await TestStore.with("notice_quarantine") { test in
            let mismatch = Quarantine(
                reason: "bundleIdMismatch", field: "bundleId", expected: "com.example.reader", seen: "com.example.other"
            )
            let notice = Notices.rescission("a-1", uuid: "u-1")
            let kept = try #require(
                try await test.run(.receive(Notices.quarantined(notice, mismatch))).notification)
            #expect(kept.status == .quarantined && kept.quarantine == mismatch && kept.account == nil)
            #expect(try await test.run(.receive(Notices.quarantined(notice, mismatch))).notification == kept)
            let other = Quarantine(reason: "innerTokenMissing", field: "signedAppTransactionInfo")
            let again = try #require(try await test.run(.receive(Notices.quarantined(notice, other))).notification)
            #expect(again.id == kept.id && again.quarantine == other && again.receivedAt == kept.receivedAt)
            // Put right, it waits for its person; and is not judged again.
            let usable = try #require(try await test.run(.receive(notice)).notification)
            #expect(usable.id == kept.id && usable.status == .unattributed && usable.quarantine == nil)
            #expect(usable.receivedAt == kept.receivedAt && usable.account == notice.account)
            #expect(try await test.run(.receive(Notices.quarantined(notice, other))).notification == usable)
            let types = try await test.log().map(\.type).filter { $0 != .appUpdated }
            #expect(types == [.notificationQuarantined, .notificationQuarantined, .notificationUnattributed])
            _ = try await test.run(Notices.register("p", "a-1"))
            #expect(try await test.store.person(test.app, "p")?.isRescinded == true)
        }
    }

    // MARK: Whom it concerns

    @Test func aRegisteredPersonIsFrozenAndAllThatWasApprovedEnds() async throws {
        try await TestStore.with("notice_applied") { test in
            let registered = try #require(try await test.run(Notices.register("p", "a-1")).registered)
            #expect(registered.person.revision == 1 && registered.account.account.id == "a-1")
            let approved = try #require(try await test.run(Samples.ask("p", "first")).question)
            _ = try await test.run(Samples.approval(approved.id))
            let pending = try #require(try await test.run(Samples.ask("p", "second")).question)
            let kept = try #require(
                try await test.run(.receive(Notices.rescission("a-1", signed: .ahead))).notification)
            #expect(kept.status == .applied && kept.personRef == registered.person.ref)
            #expect(kept.effectiveAt == kept.receivedAt)
            let person = try #require(try await test.store.person(test.app, "p"))
            #expect(person.rescindedAt == kept.receivedAt && person.revision == 2)
            let states = try await test.store.questions(test.app, QuestionFilter(), after: nil, limit: 9).rows
            #expect(states.map(\.question.state) == [.revoked, .cancelled])
            #expect(states.map(\.question.id) == [approved.id, pending.id])
            let rescission = try #require(try await test.store.rescissions(test.app, person: "p")?.first)
            #expect(rescission.source == .appStore && rescission.notice?.id == kept.id && rescission.freezes)
            let events = try await test.log().suffix(4)
            #expect(
                events.map(\.type) == [
                    .notificationReceived, .personRescinded, .questionRevoked, .questionCancelled,
                ])
            #expect(events.allSatisfy { $0.person == "p" })
            #expect(events.contains { $0.data == .rescission(rescission) })
            #expect(try await test.run(Samples.ask("p", "third")).refusal == .consentRescinded(nil))
            #expect(try await test.run(.receive(Notices.rescission("a-1", signed: .ahead))).notification == kept)
            try test.expectRecounted()
        }
    }

    @Test func sentFiveTimesAtOnceToTwoServersItIsOneEvent() async throws {
        try await TestStore.with("notice_parallel") { test in
            let other = TestStore(test.settings)
            for round in 0..<8 {
                let isKnown = round % 2 == 0
                let account = CallerID(trusted: "a-\(round)")
                if isKnown { _ = try await test.run(Notices.register(CallerID(trusted: "p-\(round)"), account)) }
                let notice =
                    round % 4 < 2
                    ? Notices.rescission(account, uuid: "u-\(round)")
                    : Notices.information("TEST", uuid: "u-\(round)")
                let kept = try await withThrowingTaskGroup(of: StoreNotification?.self) { group in
                    for number in 0..<10 {
                        let store = number % 2 == 0 ? test : other
                        group.addTask { try await store.run(.receive(notice)).notification }
                    }
                    return try await group.reduce(into: Set<StoreNotification?>()) { $0.insert($1) }
                }
                #expect(kept.count == 1 && kept.first != nil, "\(round)")
                #expect(try test.count("select count(*) from store_notification") == round + 1)
            }
            let types = try await test.log().map(\.type)
            #expect(types.count { $0 == .personRescinded } == 2)
            #expect(types.count { $0 == .notificationReceived } == 2 + 4)
            #expect(types.count { $0 == .notificationUnattributed } == 2)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test func registeringTheIdLaterAppliesWhatWaited() async throws {
        try await TestStore.with("notice_waits") { test in
            let notice = Notices.rescission("a-1", signed: .ago(3_600))
            let waiting = try #require(try await test.run(.receive(notice)).notification)
            #expect(waiting.status == .unattributed && waiting.personRef == nil && waiting.account?.id == "a-1")
            let list = try await test.store.storeNotifications(
                test.app, StoreNotificationFilter(status: .unattributed), after: nil, limit: 10)
            #expect(list.rows.map(\.notification) == [waiting] && !list.more)
            let (account, person) = try #require(try await test.run(Notices.register("p", "a-1")).registered)
            #expect(person.rescindedAt == notice.signedDate && account.personRef == person.ref)
            let shown = try #require(try await test.store.storeNotification(test.app, waiting.id))
            #expect(shown.notification.status == .applied && shown.person == "p" && shown.payload == notice.payload)
            let events = try await test.log().dropFirst().map(\.type)
            #expect(
                events == [
                    .notificationUnattributed, .personUpdated, .accountRegistered, .notificationReceived,
                    .personRescinded,
                ])
            // Again it changes nothing.
            let again = try await test.run(Notices.register("p", "a-1"))
            #expect(again.created == false && again.registered?.account == account)
            #expect(try await test.log().count == events.count + 1)
        }
    }

    @Test func aGrantWellAfterItStandsAndTheHistoryShowsBoth() async throws {
        try await TestStore.with("notice_late", policy: Policy(rescissionMarginSeconds: 60)) { test in
            _ = try await test.run(Notices.register("p", "a-1"))
            let question = try #require(try await test.run(Samples.ask("p")).question)
            let approved = try #require(try await test.run(Samples.approval(question.id)).question?.updatedAt)
            let signed = approved.adding(seconds: -61)
            let late = try #require(
                try await test.run(.receive(Notices.rescission("a-1", signed: signed, uuid: "late"))).notification)
            #expect(late.status == .outdated && late.personRef == question.personRef)
            #expect(try await test.store.person(test.app, "p")?.isRescinded == false)
            #expect(try await test.store.question(test.app, question.id)?.question.state == .approved)
            let history = try #require(try await test.store.events(test.app, .person("p"), after: 0, limit: 100))
            #expect(history.events.suffix(2).map(\.type) == [.questionApproved, .notificationReceived])
            #expect(history.events.last?.data == .notification(late.told))
            // Within the margin the rescission wins, and says so.
            let near = try #require(
                try await test.run(.receive(Notices.rescission("a-1", signed: .ago(30), uuid: "near"))).notification)
            #expect(near.status == .applied)
            #expect(try await test.store.question(test.app, question.id)?.question.state == .revoked)
            let rescission = try #require(try await test.store.rescissions(test.app, person: "p")?.last)
            #expect(rescission.withinMargin == [question.id] && rescission.ended == [question.id])
            let told = try await test.log().last { $0.type == .personRescinded }
            #expect(told?.data == .rescission(rescission))
        }
    }

    @Test func anApprovalThatWasTakenBackSinceStillShowsThatTheHouseholdWentOn() async throws {
        try await TestStore.with("notice_withdrawn_approval") { test in
            _ = try await test.run(Notices.register("p", "a-1"))
            let question = try #require(try await test.run(Samples.ask("p")).question)
            let approved = try #require(try await test.run(Samples.approval(question.id)).question?.updatedAt)
            _ = try await test.run(Samples.denial(question.id))
            let signed = approved.adding(seconds: -61)
            let late = try await test.run(.receive(Notices.rescission("a-1", signed: signed)))
            #expect(late.notification?.status == .outdated)
        }
    }

    @Test func whatIsSignedAfterItBringsThePersonBack() async throws {
        try await TestStore.with("notice_return") { test in
            _ = try await test.run(Notices.register("p", "a-1"))
            let question = try #require(try await test.run(Samples.ask("p")).question)
            _ = try await test.run(Samples.approval(question.id))
            let (taken, returned) = (Instant.ago(30), Instant.ago(10))
            _ = try await test.run(.receive(Notices.rescission("a-1", signed: taken)))
            // Signed before it, it is none; a plain id is none either.
            _ = try await test.run(Notices.register("p", "a-1", signed: taken))
            _ = try await test.run(Notices.register("p", "a-1"))
            #expect(try await test.store.person(test.app, "p")?.isRescinded == true)
            let back = try #require(
                try await test.run(Notices.register("p", "a-1", signed: returned)).registered?.person)
            #expect(!back.isRescinded && back.returnedAt == returned && back.revision == 3)
            #expect(try await test.log().last?.type == .personReinstated)
            #expect(try await test.store.question(test.app, question.id)?.question.state == .revoked)
            let rescission = try #require(try await test.store.rescissions(test.app, person: "p")?.first)
            #expect(rescission.endedAt == returned)
            // One from between is outdated, one from after it is not.
            let between = try await test.run(.receive(Notices.rescission("a-1", signed: .ago(20), uuid: "between")))
            #expect(between.notification?.status == .outdated)
            let after = try await test.run(.receive(Notices.rescission("a-1", signed: .ago(5), uuid: "after")))
            #expect(after.notification?.status == .applied)
            try test.expectRecounted()
        }
    }

    @Test func aSignatureFromAfterAWaitingRescissionIsAReturn() async throws {
        try await TestStore.with("notice_signed_after") { test in
            let waiting = try #require(
                try await test.run(.receive(Notices.rescission("a-1", signed: .ago(60)))).notification)
            let person = try #require(
                try await test.run(Notices.register("p", "a-1", signed: .ago(59))).registered?.person)
            #expect(!person.isRescinded)
            let shown = try #require(try await test.store.storeNotification(test.app, waiting.id))
            #expect(shown.notification.status == .outdated && shown.person == "p")
        }
    }

    @Test func theSandboxTouchesOnlyWhatIsRegisteredForIt() async throws {
        try await TestStore.with("notice_sandbox") { test in
            _ = try await test.run(Notices.register("p", "a-1"))
            let sandbox = try await test.run(.receive(Notices.rescission("a-1", environment: .sandbox)))
            #expect(sandbox.notification?.status == .unattributed)
            #expect(try await test.store.person(test.app, "p")?.isRescinded == false)
            // The same id may be another person's in the sandbox.
            let tester = try await test.run(Notices.register("tester", "a-1", environment: .sandbox))
            #expect(tester.registered?.person.isRescinded == true)
            _ = try await test.run(.receive(Notices.rescission("a-1", signed: .ago(40), uuid: "real")))
            #expect(try await test.store.person(test.app, "p")?.isRescinded == true)
            // What is signed in the sandbox ends nothing from production.
            _ = try await test.run(Notices.register("p", "a-9", signed: .ago(1), environment: .sandbox))
            #expect(try await test.store.person(test.app, "p")?.isRescinded == true)
            _ = try await test.run(Notices.register("tester", "a-1", signed: .ahead, environment: .sandbox))
            #expect(try await test.store.person(test.app, "tester")?.isRescinded == false)
            let accounts = try #require(try await test.store.storeAccounts(test.app, person: "p"))
            #expect(accounts.map(\.account.environment) == [.production, .sandbox])
            #expect(try await test.store.storeAccounts(test.app, person: "nobody") == nil)
        }
    }

    @Test func anIdIsOnePersonsAndAPersonMayHaveSeveral() async throws {
        try await TestStore.with("notice_taken") { test in
            _ = try await test.run(Notices.register("p-1", "a-1"))
            let before = try test.dump()
            let account = StoreAccount(store: .appStore, environment: .production, id: "a-1")
            #expect(try await test.run(Notices.register("p-2", "a-1")).refusal == .accountTaken(account))
            #expect(try await test.store.person(test.app, "p-2") == nil)
            #expect(try test.dump() == before)
            #expect(try await test.run(Notices.register("p-1", "a-2")).created == true)
            // Ids are bytes: one that only recomposes its accent is another.
            #expect(try await test.run(Notices.register("p-1", "ren\u{e9}")).created == true)
            #expect(try await test.run(Notices.register("p-2", "rene\u{301}")).created == true)
            // An id of Google Play's is none of Apple's.
            #expect(try await test.run(Notices.register("p-2", "a-1", store: .playStore)).created == true)
            for id: CallerID in ["a-2", "ren\u{e9}"] {
                let found = try await test.run(.receive(Notices.rescission(id, uuid: id.text))).notification
                #expect(found?.status == .applied)
            }
            #expect(try await test.store.person(test.app, "p-2")?.isRescinded == false)
            #expect(try await test.store.rescissions(test.app, person: "p-1")?.count == 2)
            let page = try await test.store.storeNotifications(
                test.app, StoreNotificationFilter(person: "p-1"), after: nil, limit: 1)
            #expect(page.rows.count == 1 && page.more && page.rows.first?.person == "p-1")
        }
    }

    @Test func whatWasSignedFillsThePersonsFacts() async throws {
        try await TestStore.with("notice_facts") { test in
            let original = OriginalVersion(value: "104", kind: .build, environment: .production)
            let registration = AccountRegistration(
                account: StoreAccount(store: .appStore, environment: .production, id: "a-1"),
                signedAt: .ago(9), original: original, platform: "iOS")
            let (account, person) = try #require(
                try await test.run(.register(person: "p", registration), key: Samples.key("k")).registered)
            #expect(person.facts.original == original && person.revision == 1 && account.platform == "iOS")
            let replay = try await test.run(.register(person: "p", registration), key: Samples.key("k")).replay
            #expect(replay?.status == 201 && replay?.resource == .account(person: "p", account.account))
            let signals = PlaySignals(form: .status("SHARED", source: "TIER_B"), ageLower: 13, ageUpper: 15)
            let play = AccountRegistration(
                account: StoreAccount(store: .playStore, environment: .production, id: "i-1"), signals: signals)
            let (second, changed) = try #require(try await test.run(.register(person: "p", play)).registered)
            #expect(changed.facts.ageRange == Samples.minor.ageRange && changed.revision == 2)
            #expect(changed.facts.original == original && second.signalsStatus == "SHARED")
            #expect(try await test.store.storeAccounts(test.app, person: "p") == [account, second])
            let types = try await test.log().dropFirst().map(\.type)
            #expect(types == [.personUpdated, .accountRegistered, .personUpdated, .accountRegistered])
            #expect(
                try await test.log().last?.data == .account(.playStore, .production, isSigned: false))
            try test.expectRecounted()
        }
    }

    // MARK: By hand

    @Test func anAdminSaysWhomItConcerns() async throws {
        try await TestStore.with("notice_attribution") { test in
            let waiting = try #require(
                try await test.run(.receive(Notices.rescission("a-1", signed: .ago(9)))).notification)
            let other = try #require(
                try await test.run(.receive(Notices.rescission("a-1", signed: .ago(5), uuid: "2"))).notification)
            let recorded = try #require(
                try await test.run(.receive(Notices.information("TEST", uuid: "3"))).notification)
            func attribute(_ id: Identifier, _ person: CallerID) async throws -> Reply {
                try await test.run(.attribute(notification: id, person: person))
            }
            #expect(try await attribute(waiting.id, "p").refusal == .unknownPerson)
            _ = try await test.run(.putPerson("p", Samples.minor, .none))
            _ = try await test.run(.putPerson("q", Samples.minor, .none))
            #expect(try await attribute(Identifier(high: 1, low: 1), "p").refusal == .unknownNotification)
            #expect(try await attribute(recorded.id, "p").refusal == .notAttributable(recorded))
            let found = try #require(try await attribute(waiting.id, "p").notification)
            #expect(found.status == .applied && found.id == waiting.id)
            #expect(try await test.store.person(test.app, "p")?.rescindedAt == other.signedDate)
            // All that is known of the account is the person's now.
            #expect(try await test.store.storeNotification(test.app, other.id)?.notification.status == .applied)
            #expect(try await test.store.storeAccounts(test.app, person: "p")?.map(\.account.id) == ["a-1"])
            let count = try await test.log().count
            #expect(try await attribute(waiting.id, "p").notification == found)
            guard case .notAttributable? = try await attribute(waiting.id, "q").refusal else {
                Issue.record("attributed twice")
                return
            }
            #expect(try await test.log().count == count)
        }
    }

}

extension StoreNotification {
    /// As the log tells it: without the account, which would have to be erased.
    var told: StoreNotification {
        var told = self
        told.account = nil
        return told
    }
}
