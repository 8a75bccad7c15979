import Consent
import Postgres

/// Table `api_key`.
enum KeyTable {
    private static let columns =
        "k.id, k.app_id, k.role, k.label, k.created_at, k.revoked_at, k.rate_limit_requests, k.rate_limit_seconds"

    /// Any app's key: the look-up that tells which app a request is for. The last column is the secret's hash.
    static let credential = Statement(
        "key_credential", "select \(columns), k.secret_hash from api_key k where k.id = $1", parameterTypes: [.uuid])

    static let ofApp = Statement(
        "key_of_app",
        "select \(columns) from api_key k where k.app_id = $1 and k.revoked_at is null order by k.id",
        parameterTypes: [.text])

    static let admins = Statement(
        "key_admins", "select \(columns) from api_key k where k.app_id is null and k.revoked_at is null order by k.id")

    /// One of the app's keys, also for this transaction alone to change.
    static let lock = Statement(
        "key_lock",
        "select \(columns) from api_key k where k.app_id = $1 and k.id = any($2) order by k.id for no key update",
        parameterTypes: [.text, .uuidArray])

    static let insert = Statement(
        "key_insert",
        """
        insert into api_key (id, app_id, role, label, secret_hash, created_at, rate_limit_requests, rate_limit_seconds)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        parameterTypes: [.uuid, .text, .text, .text, .bytea, .timestamptz, .int4, .int4])

    static let revoke = Statement(
        "key_revoke", "update api_key set revoked_at = $2 where id = $1", parameterTypes: [.uuid, .timestamptz])

    static func decode(_ row: Row) throws(DatabaseError) -> APIKey {
        var rateLimit: RateLimit?
        if let requests = try row.int4OrNil(6) {
            rateLimit = RateLimit(trustedRequests: Int(requests), seconds: Int(try row.int4(7)))
        }
        return APIKey(
            id: try row.identifier(0), app: try row.textOrNil(1).map { AppID(trusted: $0) }, role: try row.name(2),
            label: try row.text(3), rateLimit: rateLimit, createdAt: try row.instant(4),
            revokedAt: try row.instantOrNil(5))
    }

    static func decodeCredential(_ row: Row) throws(DatabaseError) -> Credential {
        Credential(key: try decode(row), secretHash: try row.bytes(8))
    }

    static func insertion(_ key: APIKey, secretHash: [UInt8]) -> Parameters {
        var binds = Parameters(capacity: 256)
        binds.append(key.id)
        binds.append(text: key.app?.text)
        binds.append(text: key.role.rawValue)
        binds.append(text: key.label)
        binds.append(bytes: secretHash)
        binds.append(key.createdAt)
        binds.append(rateLimit: key.rateLimit)
        return binds
    }
}

extension Parameters {
    /// Two columns, requests and seconds; both null where there is none.
    mutating func append(rateLimit: RateLimit?) {
        append(int4: rateLimit.map { Int32($0.requests) })
        append(int4: rateLimit.map { Int32($0.seconds) })
    }
}
