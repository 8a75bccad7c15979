import CLibPQ

/// The rows one statement returned; owns libpq's result and frees it with `PQclear`.
///
/// Owned by the thread that owns the connection: not to be handed to another.
package final class ResultSet {
    let handle: OpaquePointer
    /// Number of rows.
    package let count: Int
    package let columnCount: Int

    /// Takes over `handle`.
    init(owning handle: OpaquePointer) {
        self.handle = handle
        count = Int(PQntuples(handle))
        columnCount = Int(PQnfields(handle))
    }

    deinit {
        PQclear(handle)
    }

    package var isEmpty: Bool { count == 0 }

    /// What the server called the work, such as `INSERT 0 3` or `COMMIT`.
    package var commandTag: String { String(cString: PQcmdStatus(handle)) }

    /// Rows inserted, updated, deleted or selected; 0 for statements that count none.
    package var affectedRows: Int {
        var rows = 0
        var byte = PQcmdTuples(handle)
        while let digit = byte?.pointee, digit >= 48, digit <= 57 {
            rows = rows &* 10 &+ Int(digit &- 48)
            byte = byte?.successor()
        }
        return rows
    }

    /// The row at `index`, from 0; a row that is not there reads as all nulls and throws when a value is asked for.
    package subscript(index: Int) -> Row {
        Row(result: self, index: index)
    }

    /// The first row, when there is one.
    package var first: Row? { count > 0 ? self[0] : nil }

    /// Calls `body` with each row in order.
    package func forEach<Failure: Error>(_ body: (Row) throws(Failure) -> Void) throws(Failure) {
        for index in 0..<count { try body(self[index]) }
    }

    /// Whether this is the answer to a commit that committed.
    var isCommitted: Bool { commandTag == "COMMIT" }
}

extension ResultSet: Sequence {
    /// Rows in order.
    package struct Iterator: IteratorProtocol {
        let result: ResultSet
        var index = 0

        package mutating func next() -> Row? {
            guard index < result.count else { return nil }
            defer { index += 1 }
            return result[index]
        }
    }

    package func makeIterator() -> Iterator { Iterator(result: self) }
    package var underestimatedCount: Int { count }
}
