import CLibPQ

extension DatabaseError {
    /// Reads the server's error out of a failed result; does not free it.
    init(result: OpaquePointer, kind: Kind = .server) {
        func field(_ code: Int32) -> String? {
            PQresultErrorField(result, code).map { String(cString: $0) }
        }
        let state = field(Int32(UInt8(ascii: "C")))
        var detail = field(Int32(UInt8(ascii: "M"))) ?? String(cString: PQresultErrorMessage(result))
        if let more = field(Int32(UInt8(ascii: "D"))) { detail += "; " + more }
        if let place = field(Int32(UInt8(ascii: "W"))) { detail += "; " + place }
        // A schema change under a prepared statement: told apart by the function that raises it, not by its words.
        let routine = field(Int32(UInt8(ascii: "R")))
        let stale = state == "26000" || (state == "0A000" && routine == "RevalidateCachedQuery")
        self.init(
            kind, sqlState: state, constraint: field(Int32(UInt8(ascii: "n"))), staleStatements: stale, detail: detail)
    }

    /// What libpq last said about the connection itself.
    init(_ kind: Kind, connection: OpaquePointer?) {
        let message = connection.map { String(cString: PQerrorMessage($0)) } ?? "out of memory"
        self.init(
            kind, sqlState: DatabaseError.sqlState(inVerbose: Array(message.utf8)), detail: message.trimmedLines)
    }

    /// libpq hands out no result for a refused connection, but its verbose message reads `FATAL:  57P03: …`.
    static func sqlState(inVerbose message: [UInt8]) -> String? {
        let colon = UInt8(ascii: ":")
        let blank = UInt8(ascii: " ")
        var start = 0
        while start + 9 <= message.count {
            defer { start += 1 }
            guard message[start] == colon, message[start + 1] == blank, message[start + 2] == blank,
                message[start + 8] == colon
            else { continue }
            let code = message[(start + 3)..<(start + 8)]
            guard code.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }) else { continue }
            return String(decoding: code, as: UTF8.self)
        }
        return nil
    }
}

extension String {
    /// One line, without the `LOCATION:` libpq adds in verbose mode.
    fileprivate var trimmedLines: String {
        split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("LOCATION:") }.joined(separator: "; ")
    }
}
