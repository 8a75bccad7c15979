import CLibPQ

/// Where the database is and how patient a connection is with it.
package struct ConnectionSettings: Sendable {
    /// One host of the list in the connection string; nil leaves the choice to libpq (`PGHOST`, the default socket).
    struct Host: Sendable, Equatable {
        var host: String?
        var address: String?
        var port: String?
    }

    /// Everything the connection string said, apart from its hosts.
    let options: [(keyword: String, value: String)]
    /// The hosts to try in turn; never empty. They are tried one by one by this room and not by libpq, so that a host
    /// that swallows packets costs one `connectTimeout` and an attempt can be interrupted.
    let hosts: [Host]

    /// Shown in `pg_stat_activity`.
    package var applicationName = "assent"
    /// Limit on reaching one host and setting the session up.
    package var connectTimeout: Duration = .seconds(3)
    /// The server's limit on one statement; zero for none.
    package var statementTimeout: Duration = .seconds(10)
    /// The server's limit on one wait for a lock; zero for none.
    package var lockTimeout: Duration = .milliseconds(200)
    /// The server's limit on a transaction that waits for its client; zero for none.
    package var idleInTransactionTimeout: Duration = .seconds(10)
    /// The client's limit on a whole flight: what frees a thread from a peer that has silently gone.
    package var flightTimeout: Duration = .seconds(15)

    /// A pooler gives each transaction whichever session is free: nothing is prepared in one, and what is set is set for one
    /// transaction at a time. Costs the parsing and planning of every statement.
    package var sharesSessions = false

    /// Keeps the planner to index scans and nested loops: for sessions whose every statement is meant for an index, so
    /// that a plan made while a table was small does not outlive its growth.
    package var indexPlansOnly = false

    /// How often a flight looks for its answer, giving way to other threads each time, before it sleeps for it. What a
    /// few index look-ups answer comes sooner than a sleeping thread wakes up; what waits for a disk does not.
    package var looksBeforeSleeping = 0

    /// Reads a connection string, `postgresql://…` or `keyword=value …`, as libpq understands it.
    package init(url: String) throws(DatabaseError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(url, &message) else {
            // libpq's words may quote parts of the string, and the string may hold a password.
            PQfreemem(message)
            throw DatabaseError(.cannotConnect, sqlState: nil, detail: "the connection string cannot be read")
        }
        defer { PQconninfoFree(parsed) }
        var given: [(keyword: String, value: String)] = []
        var hostList: [String] = []
        var addressList: [String] = []
        var portList: [String] = []
        var option = parsed
        while let keyword = option.pointee.keyword {
            defer { option += 1 }
            guard let text = option.pointee.val else { continue }
            let value = String(cString: text)
            switch String(cString: keyword) {
            case "host": hostList = Self.parts(value)
            case "hostaddr": addressList = Self.parts(value)
            case "port": portList = Self.parts(value)
            case let other: given.append((other, value))
            }
        }
        options = given
        let count = max(hostList.count, addressList.count, 1)
        hosts = try Self.hosts(count, hostList, addressList, portList)
    }

    /// Pairs the lists as libpq does: as many ports as hosts, or one for all.
    private static func hosts(
        _ count: Int, _ hosts: [String], _ addresses: [String], _ ports: [String]
    ) throws(DatabaseError) -> [Host] {
        guard ports.count <= 1 || ports.count == count, addresses.isEmpty || addresses.count == count,
            hosts.isEmpty || hosts.count == count
        else {
            throw DatabaseError(
                .cannotConnect, sqlState: nil,
                detail: "the connection string does not have as many ports or addresses as hosts")
        }
        func pick(_ list: [String], _ index: Int) -> String? {
            let value = list.count == 1 ? list[0] : index < list.count ? list[index] : ""
            return value.isEmpty ? nil : value
        }
        return (0..<count).map {
            Host(host: pick(hosts, $0), address: pick(addresses, $0), port: pick(ports, $0))
        }
    }

    private static func parts(_ list: String) -> [String] {
        list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}

extension ConnectionSettings {
    /// libpq's keywords and values for one host: the connection string's own, with our defaults where it is silent.
    func keywords(for host: Host) -> [(String, String)] {
        var merged: [(String, String)] = [
            ("application_name", applicationName),
            // A dead peer is noticed by the kernel within this, whatever the server says.
            ("keepalives", "1"),
            ("keepalives_idle", "10"),
            ("keepalives_interval", "3"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", String(max(flightTimeout.milliseconds, 1_000))),
            // Follows a failover: a standby is not a place to write.
            ("target_session_attrs", "read-write"),
        ]
        for (keyword, value) in options {
            merged.removeAll { $0.0 == keyword }
            merged.append((keyword, value))
        }
        merged.append(("client_encoding", "UTF8"))
        if let name = host.host { merged.append(("host", name)) }
        if let address = host.address { merged.append(("hostaddr", address)) }
        if let port = host.port { merged.append(("port", port)) }
        return merged
    }

    /// Sets the session up in one round trip after connecting, not in startup options, which poolers refuse.
    ///
    /// `synchronous_commit` is raised to `on` where the server or role weakened it, and left where it is stronger.
    var sessionSetup: String {
        """
        set plan_cache_mode = force_generic_plan;
        set jit = off;
        set timezone = 'UTC';
        set default_transaction_isolation = 'read committed';
        set statement_timeout = \(statementTimeout.milliseconds);
        set lock_timeout = \(lockTimeout.milliseconds);
        set idle_in_transaction_session_timeout = \(idleInTransactionTimeout.milliseconds);
        select set_config('synchronous_commit', 'on', false)
          where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')
        """ + (indexPlansOnly ? Self.indexPlans : "")
    }
}

extension ConnectionSettings {
    /// The same for one transaction, as a statement in it; for sessions that are shared.
    static let transactionSetup = Statement(
        "transaction_setup",
        """
        select set_config(t.name, t.value, true) from unnest($1::text[], $2::text[]) as t(name, value)
        where t.name <> 'synchronous_commit' or current_setting('synchronous_commit') in ('off', 'local', 'remote_write')
        """, parameterTypes: [.textArray, .textArray])

    /// What `transactionSetup` is given. Plans are made for each statement anyway, and times are read in binary.
    var transactionSettings: Parameters {
        var names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
        var values = [statementTimeout, lockTimeout, idleInTransactionTimeout].map { String($0.milliseconds) }
        names += ["jit", "timezone", "synchronous_commit"]
        values += ["off", "UTC", "on"]
        if indexPlansOnly {
            names += ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin"]
            values += ["off", "off", "off", "off"]
        }
        var parameters = Parameters()
        parameters.append(texts: names)
        parameters.append(texts: values)
        return parameters
    }

    private static let indexPlans = """
        ; set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off;
        set enable_mergejoin = off
        """
}

extension Duration {
    /// Whole milliseconds, at least one for what is not zero: a zero switches PostgreSQL's timeouts off.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let total = Int64(clamping: seconds).multipliedReportingOverflow(by: 1_000)
        guard !total.overflow, total.partialValue < Int64(Int32.max) else { return Int64(Int32.max) }
        let value = total.partialValue + attoseconds / 1_000_000_000_000_000
        return value == 0 && self > .zero ? 1 : max(value, 0)
    }
}
