import API
import Consent
import Crypto
import Postgres
import Store

/// Issues and revokes keys for the operator: an app's keys by the store, with their events, like the API; admins' keys, which
/// belong to no app, by a connection of its own.
struct KeyDesk: Sendable {
    let store: Store
    let connection: ConnectionSettings

    /// A new key: its public side, and the text its holder is shown once.
    /// - Parameter app: nil exactly for admins.
    func issue(
        _ role: Role, app: AppID?, label: String, rateLimit: RateLimit? = nil
    ) async throws(StartFailure) -> (id: Identifier, text: String) {
        let key = try Self.fresh(role, app, label, rateLimit)
        if let app {
            _ = try await store.carryOut(.createKey(key.stored), for: app)
        } else {
            try await administer { (desk: Administration) throws(DatabaseError) in
                try desk.createAdminKey(
                    id: key.stored.id, label: key.stored.label, rateLimit: rateLimit,
                    secretHash: key.stored.secretHash)
            }
        }
        return (key.stored.id, key.text)
    }

    private static func fresh(
        _ role: Role, _ app: AppID?, _ label: String, _ rateLimit: RateLimit?
    ) throws(StartFailure) -> IssuedKey {
        do throws(CryptoError) {
            return try IssuedKey(
                app: app, role: role, label: label, rateLimit: rateLimit,
                at: Instant(microseconds: WallClock.microseconds))
        } catch {
            throw .failed("the system has no random bytes to give")
        }
    }

    /// Revokes a key, whoever it belongs to; false where there is no such key in force.
    func revoke(_ id: Identifier) async throws(StartFailure) -> Bool {
        guard let credential = try await store.look({ store throws(StoreFailure) in try await store.credential(id) }),
            credential.key.revokedAt == nil
        else { return false }
        if let app = credential.key.app {
            _ = try await store.carryOut(.revokeKey(id), for: app)
            return true
        }
        return try await administer { (desk: Administration) throws(DatabaseError) in try desk.revokeAdminKey(id) }
    }

    /// Keys in force, oldest first: an app's, or without one the admins'.
    func keys(of app: AppID?) async throws(StartFailure) -> [APIKey] {
        if let app {
            return try await store.look { store throws(StoreFailure) in try await store.keys(app) }
        }
        return try await administer { (desk: Administration) throws(DatabaseError) in try desk.adminKeys() }
    }

    /// Gives an app's event log a new feed id; nil for an unknown app.
    func renewFeed(of app: AppID) async throws(StartFailure) -> String? {
        try await administer { (desk: Administration) throws(DatabaseError) in try desk.renewFeed(app) }
    }

    private func administer<Value: Sendable>(
        _ work: @escaping @Sendable (Administration) throws(DatabaseError) -> Value
    ) async throws(StartFailure) -> Value {
        do throws(DatabaseError) {
            return try await Blocking.run { [connection] () throws(DatabaseError) in
                let session = try Connection(connection)
                defer { session.close() }
                return try work(Administration(session))
            }
        } catch {
            // The operator's own terminal; nothing of a person is in these statements.
            throw .failed(error.debugDescription)
        }
    }
}
