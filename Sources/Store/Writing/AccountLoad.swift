import Consent
import Postgres

/// The flight before the first of a batch that has to do with the stores: it holds the accounts concerned and finds out whose
/// they are, so that those persons can be locked with the others.
///
/// An account is held before any person is, by everybody. Whatever is decided about one, by a notice, a registration or an
/// erasure, is so decided one after the other, also while it is nobody's: a rescission and the registration it waits for
/// never miss each other.
struct AccountLoad {
    private let app: AppID
    private let accounts: [StoreAccount]
    private let identities: [[UInt8]]
    private(set) var flight = Flight()

    init(_ app: AppID, _ needs: BatchNeeds) {
        self.app = app
        accounts = needs.accounts.union(needs.ensuredAccounts).sorted()
        identities = Array(Set(needs.notices.map(\.identity)))
        flight.simple(.begin)
        var bytes = Parameters(capacity: 64 * (accounts.count + identities.count) + 64)
        bytes.append(byteas: accounts.map(\.bytes) + identities)
        flight.add(StoreAccountTable.digests, bytes)
        let notices = needs.namedNotices.sorted()
        flight.add(StoreAccountTable.ensure, keys(needs.ensuredAccounts.sorted(), notices, []))
        let all = keys(accounts, notices, needs.erased.sorted())
        flight.add(StoreAccountTable.lock, all)
        flight.add(StoreAccountTable.persons, all)
    }

    private func keys(
        _ accounts: [StoreAccount], _ notices: [Identifier], _ erased: [CallerID]
    ) -> Parameters {
        var binds = Parameters(capacity: 64 * accounts.count + 256)
        binds.append(app)
        binds.append(texts: accounts.map(\.store.rawValue))
        binds.append(texts: accounts.map(\.environment.rawValue))
        binds.append(ids: accounts.map(\.id))
        binds.append(identifiers: notices)
        binds.append(ids: erased)
        return binds
    }

    /// What the flight came back with.
    func held(_ results: [ResultSet]) throws(DatabaseError) -> HeldAccounts {
        guard results.count == 5 else {
            throw DatabaseError(
                .protocolViolation, detail: "a flight came back with fewer results than it had statements")
        }
        var held = HeldAccounts()
        let digests = results[1]
        guard digests.count == accounts.count + identities.count else {
            throw DatabaseError(.protocolViolation, detail: "digests are missing")
        }
        for (index, account) in accounts.enumerated() {
            held.keys[account] = AccountKey(digest: try digests[index].bytes(0))
        }
        for (index, identity) in identities.enumerated() {
            held.identities[identity] = try digests[accounts.count + index].bytes(0)
        }
        for index in 0..<results[2].count { held.created.insert(AccountKey(digest: try results[2][index].bytes(0))) }
        for index in 0..<results[3].count {
            held.rows[try StoreAccountTable.key(results[3][index])] = try StoreAccountTable.held(results[3][index])
        }
        for index in 0..<results[4].count {
            held.persons[try results[4][index].callerID(0)] = try results[4][index].identifier(1)
        }
        return held
    }
}

extension StoreAccount {
    /// What its digest is made of, as in `StoreAccountTable.digest`.
    fileprivate var bytes: [UInt8] {
        Array("\(store.rawValue)\u{1f}\(environment.rawValue)\u{1f}\(id.text)".utf8)
    }
}

/// The stores' accounts that a transaction holds.
struct HeldAccounts {
    /// What the batch's accounts are called in the database.
    var keys: [StoreAccount: AccountKey] = [:]
    /// Digests of the batch's notices' identities.
    var identities: [[UInt8]: [UInt8]] = [:]
    var rows: [AccountKey: HeldAccount] = [:]
    /// Rows that this transaction inserted; one that nobody came to use is deleted again.
    var created: Set<AccountKey> = []
    /// Whose they are.
    var persons: [CallerID: Identifier] = [:]
}
