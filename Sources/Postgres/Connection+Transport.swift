import CLibPQ

extension Connection {
    /// How what is said in this session travels; nil once it is closed.
    package var transport: Transport? {
        guard let handle else { return nil }
        if PQsslInUse(handle) == 1 {
            let version = PQsslAttribute(handle, "protocol").map { String(cString: $0) }
            return .encrypted(version: version ?? "TLS", mode: Self.option("sslmode", of: handle))
        }
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        let address = PQhostaddr(handle).map { String(cString: $0) } ?? ""
        let isLocal = host.hasPrefix("/") || host.hasPrefix("@") || address.hasPrefix("127.") || address == "::1"
        return isLocal ? .local : .plain
    }

    /// A keyword's value in effect, wherever libpq took it from; empty where it has none.
    private static func option(_ keyword: String, of handle: OpaquePointer) -> String {
        guard let all = PQconninfo(handle) else { return "" }
        defer { PQconninfoFree(all) }
        var option = all
        while let name = option.pointee.keyword {
            if String(cString: name) == keyword { return option.pointee.val.map { String(cString: $0) } ?? "" }
            option += 1
        }
        return ""
    }
}
