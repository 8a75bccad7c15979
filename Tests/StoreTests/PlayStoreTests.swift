import Consent
import Store
import TestSupport
import Testing

/// Google Play ends in the same event log as Apple: signals, approvals and revocations.
@Suite(.timeLimit(.minutes(5))) struct PlayStoreTests {
    private func signals(_ person: CallerID, _ install: CallerID, approvedAt: Instant? = nil) -> Command {
        .register(
            person: person,
            AccountRegistration(
                account: StoreAccount(store: .playStore, environment: .production, id: install),
                signals: PlaySignals(
                    form: .status("SHARED", source: "TIER_B"), ageLower: 13, ageUpper: 15,
                    changeStatus: approvedAt == nil ? "PENDING" : "APPROVED", approvedAt: approvedAt)))
    }

    /// A row of the console's file; `number` counts an install id's rows that have no date.
    private func revocation(_ install: CallerID, date: Instant? = nil, number: Int = 1) -> StoreNotice {
        let identity = "\(install.text)\u{1f}\(date.map { "\($0.microseconds)" } ?? "")\u{1f}\(number)"
        return StoreNotice(
            store: .playStore, uuid: nil, identity: Array(identity.utf8), type: "REVOKED_APPROVAL", subtype: nil,
            environment: .production, signedDate: date,
            judgement: .rescission(of: StoreAccount(store: .playStore, environment: .production, id: install)),
            payload: Array("\(install.text),\(number)".utf8))
    }

    @Test func oneApprovalSettlesEveryChangeThatWasThere() async throws {
        try await TestStore.with("play_approvals") { test in
            for change: CallerID in ["c-1", "c-2", "c-3"] {
                _ = try await test.run(.putChange(change, Samples.change, .none))
            }
            _ = try await test.run(.withdrawChange("c-3", reason: nil))
            let first = try await test.run(signals("p", "i-1"))
            #expect(first.registered?.person.facts.ageRange == Samples.minor.ageRange)
            #expect(try test.count("select count(*) from question") == 0)
            let request = AskRequest(person: "p", topic: .significantAppUpdate(change: "c-1"))
            let waiting = try #require(try await test.run(.ask(request)).question)
            let approvedAt = try test.now()
            _ = try await test.run(.putChange("c-4", Samples.change, .none))
            for _ in 0..<2 { _ = try await test.run(signals("p", "i-1", approvedAt: approvedAt)) }
            let rows = try await test.store.questions(
                test.app, QuestionFilter(person: "p"), after: nil, limit: 10
            ).rows.map(\.question)
            #expect(rows.map(\.state) == [.approved, .approved] && rows.first?.id == waiting.id)
            #expect(rows.map(\.topic) == ["c-1", "c-2"].map { .significantAppUpdate(change: $0) })
            for question in rows {
                let answers = try #require(try await test.store.answers(test.app, question: question.id))
                #expect(answers.map(\.at) == [approvedAt] && answers.map(\.guardian) == [StoreApproving.guardian])
                let told = try await test.log().last {
                    $0.type == .questionApproved && $0.data.question?.id == question.id
                }
                #expect(told?.data == .question(question, answer: answers.first))
            }
            let access = try #require(try await test.store.access(test.app, persons: ["p"]).first ?? nil)
            #expect(access.changes.map(\.change) == ["c-1", "c-2", "c-4"])
            #expect(access.changes.map(\.status) == [.approved, .approved, .required])
            let accounts = try #require(try await test.store.storeAccounts(test.app, person: "p"))
            #expect(accounts.map(\.changeStatus) == ["APPROVED"])
            try test.expectRecounted()
        }
    }

    /// Devices tell of the same approval at every launch, also long after a guardian has refused what it settled.
    @Test(arguments: [false, true]) func anApprovalFromBeforeARefusalAnswersNothingThatIsAskedAfterIt(
        isOver: Bool
    ) async throws {
        try await TestStore.with("play_refused_\(isOver)", policy: Policy(askAgainSeconds: 0)) { test in
            for change: CallerID in ["c-1", "c-2"] { _ = try await test.run(.putChange(change, Samples.change, .none)) }
            let approvedAt = try test.now()
            _ = try await test.run(signals("p", "i-1", approvedAt: approvedAt))
            func states(_ change: CallerID) async throws -> [QuestionState] {
                try await test.store.questions(test.app, QuestionFilter(person: "p"), after: nil, limit: 10).rows
                    .map(\.question).filter { $0.topic == .significantAppUpdate(change: change) }.map(\.state)
            }
            let request = AskRequest(person: "p", topic: .significantAppUpdate(change: "c-1"))
            let approved = try #require(try await test.run(.ask(request)).question)
            #expect(approved.state == .approved)
            _ = try await test.run(Samples.denial(approved.id))
            let again = try #require(try await test.run(.ask(request)).question)
            if isOver { _ = try await test.run(.cancel(question: again.id, by: .child, reason: nil)) }
            let left: [QuestionState] = [.revoked, isOver ? .cancelled : .pending]
            #expect(try await states("c-1") == left)
            // The same device, and another one of the same person.
            for install: CallerID in ["i-1", "i-2"] {
                _ = try await test.run(signals("p", install, approvedAt: approvedAt))
                #expect(try await states("c-1") == left)
            }
            #expect(try await states("c-2") == [.approved])
            // One that was given after the refusal counts.
            _ = try await test.run(signals("p", "i-1", approvedAt: try test.now()))
            #expect(try await states("c-1") == (isOver ? left + [.approved] : [.revoked, .approved]))
            try test.expectRecounted()
        }
    }

    @Test func aRevocationEndsThemAndARepeatedRowIsKnown() async throws {
        try await TestStore.with("play_revocations") { test in
            _ = try await test.run(.putChange("c-1", Samples.change, .none))
            let approvedAt = try test.now()
            _ = try await test.run(signals("p", "i-1", approvedAt: approvedAt))
            let first = try #require(try await test.run(.receive(revocation("i-1"))).notification)
            #expect(first.status == .applied && first.signedDate == nil && first.effectiveAt == first.receivedAt)
            #expect(try await test.store.person(test.app, "p")?.rescindedAt == first.receivedAt)
            let question = try await test.store.questions(test.app, QuestionFilter(), after: nil, limit: 9).rows.first
            #expect(question?.question.state == .revoked)
            #expect(try await test.store.rescissions(test.app, person: "p")?.first?.source == .playStore)
            #expect(try await test.run(.receive(revocation("i-1"))).notification == first)
            // What was approved before it is told again, and stays void, also once the household is back.
            _ = try await test.run(signals("p", "i-1", approvedAt: approvedAt))
            _ = try await test.run(.reinstate(person: "p"))
            _ = try await test.run(signals("p", "i-1", approvedAt: approvedAt))
            #expect(try test.count("select count(*) from question where state = 'approved'") == 0)
            _ = try await test.run(signals("p", "i-1", approvedAt: try test.now()))
            #expect(try test.count("select count(*) from question where state = 'approved'") == 1)
            // The second row of the same id is its second revocation.
            let second = try #require(try await test.run(.receive(revocation("i-1", number: 2))).notification)
            #expect(second.id != first.id && second.status == .applied)
            #expect(try await test.log().count { $0.type == .personRescinded } == 2)
            try test.expectRecounted()
        }
    }

    @Test func anIdThatAttachesLaterIsRevokedByWhatWaited() async throws {
        try await TestStore.with("play_later") { test in
            _ = try await test.run(.putChange("c-1", Samples.change, .none))
            let waiting = try #require(
                try await test.run(.receive(revocation("i-1", date: .ago(3_600)))).notification)
            #expect(waiting.status == .unattributed)
            // Approved again in the meantime: the approval stands, and nobody is frozen.
            try test.execute("update change set created_at = created_at - interval '2 hours'")
            let person = try await test.run(signals("p", "i-1", approvedAt: .ago(60))).registered?.person
            #expect(person?.isRescinded == false)
            #expect(try await test.store.storeNotification(test.app, waiting.id)?.notification.status == .outdated)
            #expect(try test.count("select count(*) from question where state = 'approved'") == 1)
            _ = try await test.run(.receive(revocation("i-2", date: .ago(3_600))))
            let other = try await test.run(signals("q", "i-2", approvedAt: .ago(4_000))).registered?.person
            #expect(other?.isRescinded == true)
            #expect(try test.count("select count(*) from question where state = 'approved'") == 1)
            try test.expectRecounted()
        }
    }
}

extension EventData {
    fileprivate var question: Question? {
        if case .question(let question, answer: _) = self { question } else { nil }
    }
}
