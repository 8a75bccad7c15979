import Consent
import Store

extension Model {
    mutating func receive(_ notice: StoreNotice) -> Reply {
        let name = notice.store.rawValue + " " + String(decoding: notice.identity, as: UTF8.self)
        let id = noticeIDs[name] ?? chosen.notification
        let existing = notices[id]
        if let existing, existing.status != .quarantined { return done(existing) }
        var kept = StoreNotification(
            id: id, store: notice.store, uuid: existing?.uuid ?? notice.uuid, type: notice.type,
            subtype: notice.subtype, environment: notice.environment, signedDate: notice.signedDate,
            receivedAt: existing?.receivedAt ?? now, status: .recorded, isRescission: false)
        noticeIDs[name] = id
        switch notice.judgement {
        case .quarantine(let why):
            kept.status = .quarantined
            kept.quarantine = why
            if kept == existing { return done(kept) }
            tell(.notificationQuarantined, kept)
        case .information(let about):
            kept.account = about
            kept.personRef = about.flatMap { accounts[$0]?.personRef }
            tell(.notificationReceived, kept)
        case .rescission(let account):
            kept.account = account
            kept.isRescission = true
            kept.status = .unattributed
            if let holder = accounts[account].flatMap({ personID($0.personRef) }) {
                apply(&kept, holder)
            } else {
                tell(.notificationUnattributed, kept)
            }
        }
        notices[id] = kept
        return done(kept)
    }

    mutating func register(_ id: CallerID, _ registration: AccountRegistration) -> Reply {
        var person = persons[id] ?? newPerson(id)
        let existing = accounts[registration.account]
        if let existing, existing.personRef != person.ref {
            return refused(.accountTaken(registration.account), id)
        }
        let others = accounts.values.filter { $0.personRef == person.ref && $0.account != registration.account }
        let facts = AccountRegistering.facts(registration, known: person.facts, others: Array(others))
        if persons[id] == nil {
            person.facts = facts
            use(person)
        } else if facts != person.facts {
            _ = putPerson(id, facts, .none)
        }
        let account = AccountRegistering.account(
            registration, existing: existing, personRef: person.ref, now: now)
        accounts[registration.account] = account
        if existing == nil {
            tell(
                .accountRegistered, person.ref, nil,
                .account(
                    registration.account.store, registration.account.environment,
                    isSigned: registration.signedAt != nil))
            for (notice, kept) in notices where kept.account == registration.account && kept.status == .recorded {
                notices[notice]?.personRef = person.ref
            }
        }
        if let signedAt = registration.signedAt { comeBack(id, registration.account, signedAt) }
        let waiting = notices.values.filter { $0.account == registration.account && $0.status == .unattributed }
        for var notice in waiting.sorted(by: { ($0.effectiveAt, $0.id) < ($1.effectiveAt, $1.id) }) {
            apply(&notice, id)
            notices[notice.id] = notice
        }
        return .done(.registered(account, persons[id] ?? person, created: existing == nil))
    }

    mutating func attribute(_ id: Identifier, _ personID: CallerID) -> Reply {
        guard let notice = notices[id] else { return refused(.unknownNotification) }
        guard let person = persons[personID] else { return refused(.unknownPerson) }
        if notice.isRescission, notice.personRef == person.ref { return done(notice) }
        guard notice.status == .unattributed, let account = notice.account else {
            return refused(.notAttributable(notice))
        }
        _ = register(personID, AccountRegistration(account: account))
        return done(notices[id] ?? notice)
    }

    private mutating func apply(_ notice: inout StoreNotification, _ id: CallerID) {
        guard let person = persons[id] else { return }
        let known = rescissions[person.ref] ?? []
        let own = questions.values.filter { $0.personRef == person.ref }
        let approvals = own.flatMap { answers[$0.id] ?? [] }.filter { $0.kind == .approval }.map(\.at)
        let (status, verdict) = StoreRescinding.decide(
            notice, person: person, accounts: accounts.values.filter { $0.personRef == person.ref },
            questions: own.filter { $0.supersededBy == nil }, earlier: known.count, approvedAt: approvals.max(),
            policy: policy, now: now)
        notice.status = status
        notice.personRef = person.ref
        tell(.notificationReceived, notice)
        guard case .rescinded(let rescission, let next, let ended, let voided) = verdict else { return }
        persons[id] = next
        rescissions[person.ref] = known + [rescission]
        if next.rescindedAt != person.rescindedAt || !ended.isEmpty || !voided.isEmpty {
            tell(.personRescinded, next.ref, next.revision, .rescission(rescission))
        }
        for change in ended { store(change.question, change.event, nil) }
        for question in voided { replaceAnswers(of: question) }
    }

    private mutating func comeBack(_ id: CallerID, _ account: StoreAccount, _ signedAt: Instant) {
        guard let person = persons[id] else { return }
        let known = rescissions[person.ref] ?? []
        guard
            case .reinstated(let next, let ended) = StoreReturning.decide(
                account, signedAt: signedAt, person: person, rescissions: known, now: now)
        else { return }
        persons[id] = next
        rescissions[person.ref] = known.map { old in ended.first { $0.number == old.number } ?? old }
        if !next.isRescinded {
            tell(.personReinstated, next.ref, next.revision, .reinstated(ended: ended.flatMap(\.ended)))
        }
    }

    /// The log has no account in it: that would have to be erased with its person.
    private mutating func tell(_ event: EventType, _ notice: StoreNotification) {
        var shown = notice
        shown.account = nil
        tell(event, notice.personRef, nil, .notification(shown))
    }

    private func done(_ notice: StoreNotification) -> Reply {
        .done(
            .notification(
                StoreNotificationRecord(
                    notification: notice, person: notice.personRef.flatMap(personID), payload: nil)))
    }
}
