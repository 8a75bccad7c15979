import Consent

/// What the stores tell, and whom it concerns.
extension BatchState {
    /// Keeps a notice and does what it says; the same again, once it could be used, changes nothing.
    mutating func receive(_ notice: StoreNotice) -> Reply {
        guard let identity = stores.held.identities[notice.identity] else { return refused(.unknownNotification) }
        let existing = stores.notice(NoticeName(store: notice.store, identity: identity))
        if let existing, existing.notification.status != .quarantined { return .done(.notification(record(existing))) }
        let key = notice.account.flatMap { stores.held.keys[$0] }
        var kept = KeptNotice(
            notification: judged(notice, existing?.notification), identity: identity, account: key, person: nil)
        switch notice.judgement {
        case .quarantine:
            if kept.notification == existing?.notification { return .done(.notification(record(kept))) }
            tell(kept.notification, .notificationQuarantined)
        case .information:
            kept.notification.personRef = key.flatMap { stores.held.rows[$0]?.registered?.personRef }
            tell(kept.notification, .notificationReceived)
        case .rescission:
            guard let person = holder(of: key) else {
                tell(kept.notification, .notificationUnattributed)
                break
            }
            apply(&kept, to: person)
        }
        store(kept, payload: notice.payload)
        return .done(.notification(record(kept)))
    }

    /// The notice as it is kept before it is known whom it concerns; what stays of one that was in quarantine is its id and
    /// when it first came.
    private func judged(_ notice: StoreNotice, _ existing: StoreNotification?) -> StoreNotification {
        var generator = SystemRandomNumberGenerator()
        var kept =
            existing
            ?? StoreNotification(
                id: Identifier(createdAt: now, random: generator.next()), store: notice.store, uuid: notice.uuid,
                type: nil, subtype: nil, environment: nil, signedDate: nil, receivedAt: now, status: .quarantined,
                isRescission: false)
        kept.type = notice.type
        kept.subtype = notice.subtype
        kept.environment = notice.account?.environment ?? notice.environment
        kept.signedDate = notice.signedDate
        kept.quarantine = notice.quarantine
        kept.account = notice.account
        switch notice.judgement {
        case .quarantine:
            kept.status = .quarantined
            kept.isRescission = false
        case .information:
            kept.status = .recorded
            kept.isRescission = false
        case .rescission:
            kept.status = .unattributed
            kept.isRescission = true
        }
        return kept
    }

    /// Whose the account is now.
    private func holder(of key: AccountKey?) -> Person? {
        key.flatMap { stores.held.rows[$0]?.registered }.flatMap { personID($0.personRef) }.flatMap(person)
    }

    /// Lets a rescission take effect on a person, as it would have had it been learnt of at once.
    private mutating func apply(_ kept: inout KeptNotice, to person: Person) {
        let known = rescissions(person)
        let (status, verdict) = StoreRescinding.decide(
            kept.notification, person: person, accounts: stores.accounts(person), questions: questions(of: person),
            earlier: known.count, approvedAt: stores.lastApproval(person), policy: policy, now: now)
        kept.notification.status = status
        kept.notification.personRef = person.ref
        tell(kept.notification, .notificationReceived)
        guard case .rescinded(let rescission, let next, let ended, let voided) = verdict else { return }
        if next != person { store(next) }
        store(rescission)
        // One that is outdated, or holds behind a later one, may have changed nothing.
        if next.rescindedAt != person.rescindedAt || !ended.isEmpty || !voided.isEmpty {
            writes.events.append(
                PendingEvent(
                    type: .personRescinded, personRef: next.ref, question: nil, revision: next.revision,
                    data: EventEncoding.rescission(rescission)))
        }
        for change in ended { store(change.question, change.event, answer: nil) }
        for question in voided { store(voided: question, at: now) }
    }

    /// Takes a store's id as the person's, and with it what the store signed and what waited for it.
    mutating func register(_ id: CallerID, _ registration: AccountRegistration) -> Reply {
        guard let person = row(id), let key = stores.held.keys[registration.account] else {
            return refused(.unknownPerson)
        }
        let row = stores.held.rows[key]
        if let other = row?.registered, other.personRef != person.ref {
            return refused(.accountTaken(registration.account), person: id)
        }
        let existing = row?.registered
        var account = AccountRegistering.account(
            registration, existing: existing, personRef: person.ref, now: now)
        // What was signed before an earlier person of that account was erased still tells that the household was there.
        account.signedAt = [account.signedAt, row?.signedAt].compactMap { $0 }.max()
        learn(registration, person)
        if account != existing { store(account, key) }
        if existing == nil {
            writes.events.append(
                PendingEvent(
                    type: .accountRegistered, personRef: person.ref, question: nil, revision: nil,
                    data: EventEncoding.account(registration)))
        }
        if let signedAt = registration.signedAt { comeBack(id, registration.account, signedAt) }
        if let approvedAt = registration.signals?.approvedAt { approve(id, min(approvedAt, now)) }
        settle(key, account)
        guard let person = self.person(id) else { return refused(.unknownPerson) }
        return .done(.registered(account, person, created: existing == nil))
    }

    /// Takes over what the registration says of the person, who from here on exists.
    private mutating func learn(_ registration: AccountRegistration, _ person: Person) {
        let isNew = self.person(person.id) == nil
        var next = person
        next.facts = AccountRegistering.facts(
            registration, known: person.facts,
            others: stores.accounts(person).filter { $0.account != registration.account })
        if EventEncoding.person(next, at: now) != EventEncoding.person(person, at: now) {
            if !isNew {
                next.revision += 1
                next.updatedAt = now
            }
            store(next)
            if !isNew { tell(next) }
        }
        use(next)
    }

    /// What a store signed after a rescission is the household's return.
    private mutating func comeBack(_ id: CallerID, _ account: StoreAccount, _ signedAt: Instant) {
        guard let person = person(id) else { return }
        let verdict = StoreReturning.decide(
            account, signedAt: signedAt, person: person, rescissions: rescissions(person), now: now)
        guard case .reinstated(let next, let ended) = verdict else { return }
        if next != person { store(next) }
        for rescission in ended { store(rescission) }
        guard !next.isRescinded else { return }
        writes.events.append(
            PendingEvent(
                type: .personReinstated, personRef: next.ref, question: nil, revision: next.revision,
                data: EventEncoding.reinstated(ended.flatMap(\.ended))))
    }

    /// Takes a store's approval for each change that it settles.
    private mutating func approve(_ id: CallerID, _ approvedAt: Instant) {
        guard let person = person(id) else { return }
        for change in changes.values.sorted(by: { $0.id < $1.id }) {
            let topic = Topic.significantAppUpdate(change: change.id)
            let subject = SubjectName(person: id, subject: topic.subject)
            let step = StoreApproving.step(
                approvedAt: approvedAt, change: change, person: person,
                standing: standing[subject].flatMap { questions[$0] },
                refusedAt: stores.lastRefusal(person, of: change.id), rescissions: rescissions(person),
                policy: policy, now: now)
            switch step {
            case .nothing: continue
            case .answers(let question): approve(question, approvedAt)
            case .asks(let request):
                let reply = ask(request, by: StoreApproving.asking(policy))
                if case .done(.asked(let record, .created)) = reply, let question = questions[record.question.id] {
                    approve(question, approvedAt)
                }
            }
        }
    }

    private mutating func approve(_ question: Question, _ approvedAt: Instant) {
        guard
            case .changed(let next, let event, let answer) = question.approvedByStore(
                at: approvedAt, policy: policy, now: now)
        else { return }
        store(next, event, answer: answer)
    }

    /// Applies every rescission of the account that has not concerned this person yet, in the order they took effect.
    private mutating func settle(_ key: AccountKey, _ account: RegisteredAccount) {
        let waiting = stores.notices.values.filter {
            $0.account == key && $0.notification.isRescission && $0.notification.personRef != account.personRef
        }
        for var notice in waiting.sorted(by: { $0.notification.order < $1.notification.order }) {
            guard let person = holder(of: key) else { return }
            notice.notification.account = account.account
            apply(&notice, to: person)
            store(notice, payload: nil)
        }
    }

    /// Does as if the account of an unattributed rescission were registered for the person.
    mutating func attribute(_ id: Identifier, to personID: CallerID) -> Reply {
        guard let notice = stores.notices[id] else { return refused(.unknownNotification) }
        guard let person = person(personID) else { return refused(.unknownPerson) }
        if notice.notification.isRescission, notice.notification.personRef == person.ref {
            return .done(.notification(record(notice)))
        }
        guard notice.notification.status == .unattributed, let account = notice.notification.account else {
            return refused(.notAttributable(notice.notification))
        }
        stores.held.keys[account] = notice.account
        if case .refused(let refusal, let person, let moment) = register(
            personID, AccountRegistration(account: account))
        {
            return .refused(refusal, person: person, at: moment)
        }
        return .done(.notification(record(stores.notices[id] ?? notice)))
    }

    private func record(_ kept: KeptNotice) -> StoreNotificationRecord {
        let person = kept.notification.personRef.flatMap { ref in
            personID(ref) ?? kept.person ?? stores.held.persons.first { $0.value == ref }?.key
        }
        return StoreNotificationRecord(notification: kept.notification, person: person, payload: nil)
    }

    private mutating func tell(_ notification: StoreNotification, _ event: EventType) {
        writes.events.append(
            PendingEvent(
                type: event, personRef: notification.personRef, question: nil, revision: nil,
                data: EventEncoding.notification(notification)))
    }
}

extension StoreNotification {
    /// By when it took effect, and then by when it came.
    fileprivate var order: (Instant, Identifier) { (effectiveAt, id) }
}
