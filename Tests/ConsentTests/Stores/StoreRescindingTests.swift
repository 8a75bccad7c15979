import Consent
import Testing

/// A store's rescission by DOMAIN's order: what counts is when things took effect, never when they were learnt of.
@Suite struct StoreRescindingTests {
    private let g1 = Samples.g1

    private func account(
        signedAt: Int64? = nil, environment: OriginalVersion.Environment = .production
    ) -> RegisteredAccount {
        RegisteredAccount(
            account: StoreAccount(store: .appStore, environment: environment, id: CallerID(trusted: "704")),
            personRef: Samples.ref, registeredAt: Samples.start, signedAt: signedAt.map { Samples.second($0) })
    }

    private func notice(
        _ signedDate: Int64?, received: Int64 = 1_000, environment: OriginalVersion.Environment = .production,
        store: StoreName = .appStore
    ) -> StoreNotification {
        StoreNotification(
            id: Identifier(createdAt: Samples.second(received), random: 1), store: store, uuid: nil,
            type: "RESCIND_CONSENT", subtype: nil, environment: environment,
            signedDate: signedDate.map { Samples.second($0) }, receivedAt: Samples.second(received),
            status: .unattributed, isRescission: true)
    }

    private func approved(at second: Int64) throws -> Question {
        try #require(Samples.question().approval(g1, at: Samples.second(second)).question)
    }

    private func decide(
        _ notice: StoreNotification, person: Person = Samples.person(), accounts: [RegisteredAccount] = [],
        questions: [Question] = [], earlier: Int = 0, approvedAt: Int64? = nil, policy: Policy = Policy(),
        now: Int64 = 5_000
    ) -> (status: StoreNotification.Status, rescission: Rescission?, person: Person, ended: [Question]) {
        let (status, verdict) = StoreRescinding.decide(
            notice, person: person, accounts: accounts, questions: questions, earlier: earlier,
            approvedAt: approvedAt.map { Samples.second($0) }, policy: policy, now: Samples.second(now))
        guard case .rescinded(let rescission, let person, let ended, voided: _) = verdict else {
            return (status, nil, person, [])
        }
        return (status, rescission, person, ended.map(\.question))
    }

    @Test("it takes effect at the earlier of when it was signed and when it came, and freezes")
    func effect() throws {
        for (signed, effective) in [(Int64?(900), Int64(900)), (1_200, 1_000), (nil, 1_000)] {
            let (status, rescission, person, _) = decide(notice(signed))
            #expect(status == .applied && person.rescindedAt == Samples.second(effective))
            #expect(rescission?.effectiveAt == Samples.second(effective) && rescission?.source == .appStore)
            #expect(rescission?.notice?.environment == .production && rescission?.checklist == Rescission.Duty.allCases)
            #expect(rescission?.receivedAt == Samples.second(5_000) && rescission?.scope == .person)
        }
        #expect(decide(notice(1, store: .playStore)).rescission?.source == .playStore)
    }

    @Test("approvals up to it and within the margin are void, those within it flagged; a later one stands")
    func margin() throws {
        for (second, status, flagged) in [
            (Int64(800), StoreNotification.Status.applied, false), (900, .applied, false), (901, .applied, true),
            (960, .applied, true), (961, .outdated, false), (4_000, .outdated, false),
        ] {
            let question = try approved(at: second)
            let (found, rescission, person, ended) = decide(
                notice(900), questions: [question], approvedAt: second)
            #expect(found == status && person.isRescinded == (status == .applied), "\(second)")
            #expect(ended.map(\.state) == (status == .applied ? [.revoked] : []), "\(second)")
            #expect(rescission?.withinMargin ?? [] == (flagged ? [question.id] : []), "\(second)")
        }
        let strict = Policy(rescissionMarginSeconds: 0)
        #expect(decide(notice(900), questions: [try approved(at: 901)], policy: strict).status == .outdated)
    }

    @Test("an approval shows that the household went on, whatever became of it since")
    func anyApproval() {
        #expect(decide(notice(900), approvedAt: 960).status == .applied)
        #expect(decide(notice(900), approvedAt: 961).status == .outdated)
        #expect(decide(notice(900), approvedAt: 961).rescission?.freezes == false)
    }

    @Test("what a store signed after it is a return; at its very moment or before it is not")
    func returns() throws {
        for (signed, status) in [
            (Int64?.none, StoreNotification.Status.applied), (899, .applied), (900, .applied), (901, .outdated),
        ] {
            #expect(decide(notice(900), accounts: [account(signedAt: signed)]).status == status)
        }
        var person = Samples.person()
        person.returnedAt = Samples.second(901)
        #expect(decide(notice(900), person: person).status == .outdated)
        // What the outdated one still ended is to be asked anew, since the household is back.
        let late = decide(
            notice(900), accounts: [account(signedAt: 901)], questions: [try approved(at: 10)])
        #expect(late.status == .outdated && late.ended.map(\.state) == [.revoked])
        #expect(late.person.hasReturned && !late.person.isRescinded && late.rescission?.checklist == [])
    }

    @Test("what is signed in the sandbox says nothing about production")
    func environments() {
        let sandbox = account(signedAt: 4_000, environment: .sandbox)
        #expect(decide(notice(900), accounts: [sandbox]).status == .applied)
        #expect(decide(notice(900, environment: .sandbox), accounts: [sandbox]).status == .outdated)
        #expect(decide(notice(900, environment: .sandbox), accounts: [account(signedAt: 4_000)]).status == .outdated)
    }

    @Test("one that holds behind a later one is kept, and a return ends only what is older")
    func several() throws {
        let first = decide(notice(900))
        let later = try #require(first.rescission)
        let second = decide(notice(500, environment: .sandbox), person: first.person, earlier: 1)
        let earlier = try #require(second.rescission)
        #expect(second.status == .applied && second.person == first.person && earlier.freezes)
        func comeBack(_ signedAt: Int64, _ environment: OriginalVersion.Environment) -> (Person, [Rescission]) {
            let verdict = StoreReturning.decide(
                account(environment: environment).account, signedAt: Samples.second(signedAt), person: first.person,
                rescissions: [later, earlier], now: Samples.second(5_000))
            switch verdict {
            case .unchanged(let person): return (person, [])
            case .reinstated(let person, let ended): return (person, ended)
            case .refused: return (first.person, [])
            }
        }
        #expect(comeBack(500, .production) == (first.person, []))
        #expect(comeBack(600, .production).0.rescindedAt == Samples.second(900))
        #expect(comeBack(600, .production).1.map(\.number) == [2])
        let (back, ended) = comeBack(901, .production)
        #expect(!back.isRescinded && back.returnedAt == Samples.second(901) && Set(ended.map(\.number)) == [1, 2])
        #expect(ended.allSatisfy { $0.endedAt == Samples.second(901) } && back.revision == first.person.revision + 1)
        // The sandbox ends only what was rescinded there.
        #expect(comeBack(4_000, .sandbox).0.rescindedAt == Samples.second(900))
        #expect(comeBack(4_000, .sandbox).1.map(\.number) == [2])
        // None is from the future.
        #expect(comeBack(9_999, .production).0.returnedAt == Samples.second(5_000))
    }

    @Test("what was signed is a return also from what a service said, and from nothing where nothing holds")
    func returnFromAService() throws {
        let verdict = Rescinding.decide(
            RescissionRequest(scope: .person), person: Samples.person(), change: nil, questions: [], earlier: 0,
            now: Samples.second(900))
        guard case .rescinded(let rescission, let person, ended: _, voided: _) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        func comeBack(_ person: Person, _ known: [Rescission], _ environment: OriginalVersion.Environment) -> Bool {
            let verdict = StoreReturning.decide(
                account(environment: environment).account, signedAt: Samples.second(901), person: person,
                rescissions: known, now: Samples.second(5_000))
            if case .reinstated = verdict { return true }
            return false
        }
        #expect(comeBack(person, [rescission], .production))
        #expect(!comeBack(person, [rescission], .sandbox))
        #expect(!comeBack(Samples.person(), [], .production))
    }

    // MARK: Every order

    /// Something that happens to a person, with the moment from which it counts.
    private enum Happening: Hashable {
        case rescission(Int64)
        case approval(Int64)
        case signature(Int64)
        case reinstatement(Int64)
    }

    /// A person as their happenings are learnt of, one after the other, all of them at last.
    private struct Learner {
        var person = Samples.person()
        var rescissions: [Rescission] = []
        var accounts: [RegisteredAccount] = []
        var approvedAt: Instant?
        var question = Samples.question()
        var statuses: [Int64: StoreNotification.Status] = [:]
    }

    private func learn(_ happening: Happening, _ learner: inout Learner, at now: Int64) {
        switch happening {
        case .rescission(let effective):
            let (status, verdict) = StoreRescinding.decide(
                notice(effective), person: learner.person, accounts: learner.accounts, questions: [learner.question],
                earlier: learner.rescissions.count, approvedAt: learner.approvedAt, policy: Policy(),
                now: Samples.second(now))
            learner.statuses[effective] = status
            guard case .rescinded(let rescission, let person, let ended, let voided) = verdict else { return }
            learner.person = person
            learner.rescissions.append(rescission)
            learner.question = (ended.map(\.question) + voided).first ?? learner.question
        case .approval(let second):
            // Nothing is approved while consent is taken back: such an order of arrival cannot be.
            guard !learner.person.isRescinded else { return }
            if let next = learner.question.approval(g1, at: Samples.second(second)).question { learner.question = next }
            learner.approvedAt = max(learner.approvedAt ?? Samples.second(second), Samples.second(second))
        case .signature(let second):
            let signed = account(signedAt: second)
            learner.accounts = [
                account(
                    signedAt: max(
                        second,
                        learner.accounts.first?.signedAt.map {
                            ($0.microseconds - Samples.start.microseconds) / 1_000_000
                        } ?? second))
            ]
            comeBack(
                StoreReturning.decide(
                    signed.account, signedAt: Samples.second(second), person: learner.person,
                    rescissions: learner.rescissions, now: Samples.second(now)), &learner)
        case .reinstatement(let second):
            comeBack(
                Reinstating.decide(
                    person: learner.person, rescissions: learner.rescissions, effective: Samples.second(second),
                    now: Samples.second(now)), &learner)
        }
    }

    private func comeBack(_ verdict: ReinstateVerdict, _ learner: inout Learner) {
        switch verdict {
        case .unchanged(let person): learner.person = person
        case .reinstated(let person, let ended):
            learner.person = person
            learner.rescissions = learner.rescissions.map { old in ended.first { $0.number == old.number } ?? old }
        case .refused: break
        }
    }

    /// Who is frozen by the rule itself: the last rescission that nothing later ended.
    private func isFrozen(_ happenings: [Happening]) -> Bool {
        let rescissions = happenings.compactMap { if case .rescission(let second) = $0 { second } else { nil } }
        return rescissions.contains { effective in
            !happenings.contains { happening in
                switch happening {
                case .rescission: false
                case .approval(let second): second > effective + 60
                case .signature(let second), .reinstatement(let second): second > effective
                }
            }
        }
    }

    private static func orders<Element>(_ elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test("rescissions, approvals, signatures and returns: every selection, every order in which they are learnt of")
    func everyOrder() {
        // Approvals are learnt of as they are given, so no earlier than the others that came before them in an order
        // that could be; all else may come at any time.
        let all: [Happening] = [
            .rescission(100), .rescission(200), .approval(130), .approval(170), .approval(270), .signature(90),
            .signature(150), .signature(250), .reinstatement(180), .reinstatement(300),
        ]
        var checked = 0
        for selection in 1..<(1 << all.count) where selection.nonzeroBitCount <= 4 {
            let chosen = all.indices.filter { selection & (1 << $0) != 0 }.map { all[$0] }
            let approvals = chosen.filter { if case .approval = $0 { true } else { false } }
            for order in Self.orders(chosen) {
                var learner = Learner()
                var given: [Happening] = []
                for (number, happening) in order.enumerated() {
                    let before = learner.approvedAt
                    learn(happening, &learner, at: 2_000 + Int64(number))
                    if case .approval = happening, learner.approvedAt == before { continue }
                    given.append(happening)
                }
                // An approval that a freeze kept from being given never was; nor one that a later one stood before.
                guard given.count == order.count || approvals.isEmpty else { continue }
                checked += 1
                #expect(learner.person.isRescinded == isFrozen(chosen), "\(order)")
                for case .rescission(let effective) in chosen {
                    // Its own status is judged by what was known when it came.
                    let index = order.firstIndex(of: .rescission(effective)) ?? 0
                    let known = Array(order[..<index].filter { if case .rescission = $0 { false } else { true } })
                    let status: StoreNotification.Status =
                        isFrozen(known + [.rescission(effective)]) ? .applied : .outdated
                    #expect(learner.statuses[effective] == status, "\(order)")
                }
                // What was approved before the last rescission of all, and nothing after it, is never left standing.
                if chosen.contains(.rescission(200)), approvals.isEmpty == false,
                    !chosen.contains(.approval(270)), order.last == .rescission(200)
                {
                    #expect(learner.question.state != .approved, "\(order)")
                }
            }
        }
        #expect(checked > 1_000)
    }
}
