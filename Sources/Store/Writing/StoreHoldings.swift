import Consent

/// What a batch knows of the stores: the accounts it holds, the notices it may change, and what else of their persons a store's
/// rescission is judged by. Part of the batch's state.
struct StoreHoldings {
    /// A change that guardians refused for a person.
    private struct Refused: Hashable {
        let personRef: Identifier
        let change: CallerID
    }

    var held = HeldAccounts()
    private(set) var notices: [Identifier: KeptNotice] = [:]
    private var noticeIDs: [NoticeName: Identifier] = [:]
    /// As they were registered, by the person's ref.
    private var accounts: [Identifier: [RegisteredAccount]] = [:]
    /// When anything was last approved, by the person's ref.
    private var approvals: [Identifier: Instant] = [:]
    /// When a guardian last refused a change.
    private var refusals: [Refused: Instant] = [:]
    /// Held accounts that a command came to use.
    private var used: Set<AccountKey> = []

    mutating func add(_ notice: KeptNotice) {
        notices[notice.notification.id] = notice
        noticeIDs[NoticeName(store: notice.notification.store, identity: notice.identity)] = notice.notification.id
    }

    mutating func add(_ account: RegisteredAccount) {
        accounts[account.personRef, default: []].append(account)
    }

    mutating func add(approval moment: Instant, of personRef: Identifier) {
        approvals[personRef] = max(approvals[personRef] ?? moment, moment)
    }

    mutating func add(refusal moment: Instant, of change: CallerID, by personRef: Identifier) {
        let name = Refused(personRef: personRef, change: change)
        refusals[name] = max(refusals[name] ?? moment, moment)
    }

    func notice(_ name: NoticeName) -> KeptNotice? { noticeIDs[name].flatMap { notices[$0] } }

    func accounts(_ person: Person) -> [RegisteredAccount] { accounts[person.ref] ?? [] }

    func lastApproval(_ person: Person) -> Instant? { approvals[person.ref] }

    func lastRefusal(_ person: Person, of change: CallerID) -> Instant? {
        refusals[Refused(personRef: person.ref, change: change)]
    }

    /// Held accounts that are the person's.
    func keys(_ person: Person) -> [AccountKey] {
        held.rows.filter { $0.value.registered?.personRef == person.ref }.map(\.key)
    }

    mutating func keep(_ notice: KeptNotice) {
        add(notice)
        if let account = notice.account { used.insert(account) }
    }

    /// Takes a registered account; true where it was nobody's.
    mutating func keep(_ account: RegisteredAccount, _ key: AccountKey) -> Bool {
        let isNew = held.rows[key]?.registered == nil
        used.insert(key)
        held.rows[key] = HeldAccount(registered: account, signedAt: account.signedAt)
        accounts[account.personRef]?.removeAll { $0.account == account.account }
        add(account)
        return isNew
    }

    /// From here on the person's accounts are nobody's; what was signed, and that the household was back, is remembered.
    mutating func forget(_ person: Person) {
        held.persons[person.id] = nil
        for (id, notice) in notices where notice.notification.personRef == person.ref { notices[id]?.person = nil }
        for key in keys(person) {
            let signs = [held.rows[key]?.signedAt, person.returnedAt].compactMap { $0 }
            held.rows[key] = HeldAccount(registered: nil, signedAt: signs.max())
            // A row that came in this batch goes with its person, unless a rescission is to be remembered.
            if !notices.values.contains(where: { $0.account == key && $0.notification.isRescission }) {
                used.remove(key)
            }
        }
    }

    /// Rows that were inserted for commands which had no use for them.
    var unused: [AccountKey] { held.created.subtracting(used).sorted() }
}
