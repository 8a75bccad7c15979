package import Consent
package import Postgres

/// What an operator does beside the API: admin keys, which belong to no app, and the renewal of a feed id.
///
/// Blocks on its connection; for a command line, not for the cooperative pool. Owned by one thread.
package struct Administration {
    private let connection: Connection

    package init(_ connection: Connection) {
        self.connection = connection
    }

    private static let createAdmin = Statement(
        "administration_create_admin",
        """
        insert into api_key (id, app_id, role, label, secret_hash, created_at, rate_limit_requests, rate_limit_seconds)
        values ($1, null, 'admin', $2, $3, clock_timestamp(), $4, $5)
        """,
        parameterTypes: [.uuid, .text, .bytea, .int4, .int4])

    private static let revokeAdmin = Statement(
        "administration_revoke_admin",
        """
        update api_key set revoked_at = clock_timestamp() where id = $1 and app_id is null and revoked_at is null
        """,
        parameterTypes: [.uuid])

    /// Stores an admin's key.
    package func createAdminKey(
        id: Identifier, label: String, rateLimit: RateLimit? = nil, secretHash: [UInt8]
    ) throws(DatabaseError) {
        var binds = Parameters()
        binds.append(id)
        binds.append(text: label)
        binds.append(bytes: secretHash)
        binds.append(rateLimit: rateLimit)
        try run(Self.createAdmin, binds)
    }

    /// Admin keys that are not revoked, oldest first.
    package func adminKeys() throws(DatabaseError) -> [APIKey] {
        let result = try run(KeyTable.admins, Parameters())
        var keys: [APIKey] = []
        for index in 0..<(result?.count ?? 0) {
            if let row = result?[index] { keys.append(try KeyTable.decode(row)) }
        }
        return keys
    }

    /// Revokes an admin's key; false when there is none with this id.
    package func revokeAdminKey(_ id: Identifier) throws(DatabaseError) -> Bool {
        var binds = Parameters()
        binds.append(id)
        return try run(Self.revokeAdmin, binds).map { $0.affectedRows > 0 } ?? false
    }

    /// Gives the app's log a new name, so that cursors made before a restore are told apart; nil for an unknown app.
    package func renewFeed(_ app: AppID) throws(DatabaseError) -> String? {
        let feed = FeedID.random()
        var binds = Parameters()
        binds.append(app)
        binds.append(text: feed)
        return try run(AppTable.renewFeed, binds).flatMap { $0.affectedRows > 0 ? feed : nil }
    }

    @discardableResult
    private func run(_ statement: Statement, _ binds: Parameters) throws(DatabaseError) -> ResultSet? {
        var flight = Flight()
        flight.add(statement, binds)
        return try connection.run(flight).first
    }
}
