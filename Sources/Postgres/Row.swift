import CLibPQ

/// One row of a result, read by column index from 0. Bytes stay in libpq's memory until a value is asked for.
///
/// The plain accessors throw `protocolViolation` for a null, the `…OrNil` ones return nil; both throw when the
/// column is not of that type. A decoder that asks for the wrong type is a defect that shows on its first row.
package struct Row {
    let result: ResultSet
    let index: Int

    package func isNull(_ column: Int) -> Bool {
        PQgetisnull(result.handle, Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: column)) != 0
    }

    /// The value's bytes as they lie in libpq's memory, or nil for null; not to be kept past `body`.
    package func withBytes<Value, Failure: Error>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let bytes = raw(column) else { return nil }
        return try body(bytes)
    }

    package func text(_ column: Int) throws(DatabaseError) -> String { try present(textOrNil(column), column) }
    package func bytes(_ column: Int) throws(DatabaseError) -> [UInt8] { try present(bytesOrNil(column), column) }
    package func bool(_ column: Int) throws(DatabaseError) -> Bool { try present(boolOrNil(column), column) }
    package func int2(_ column: Int) throws(DatabaseError) -> Int16 { try present(int2OrNil(column), column) }
    package func int4(_ column: Int) throws(DatabaseError) -> Int32 { try present(int4OrNil(column), column) }
    package func int8(_ column: Int) throws(DatabaseError) -> Int64 { try present(int8OrNil(column), column) }

    /// A `uuid` as its big-endian halves.
    package func uuid(_ column: Int) throws(DatabaseError) -> (high: UInt64, low: UInt64) {
        try present(uuidOrNil(column), column)
    }

    /// A `timestamptz` in microseconds since the Unix epoch; the infinities are the ends of Int64.
    package func timestamp(_ column: Int) throws(DatabaseError) -> Int64 {
        try present(timestampOrNil(column), column)
    }

    /// The UTF-8 of a `json` or `jsonb`.
    package func json(_ column: Int) throws(DatabaseError) -> [UInt8] { try present(jsonOrNil(column), column) }

    /// A transaction id, as `pg_current_xact_id()` returns it.
    package func xid8(_ column: Int) throws(DatabaseError) -> UInt64 {
        guard let bytes = try fixed(column, .xid8, 8) else { throw wrong(column, "is null") }
        return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    package func textOrNil(_ column: Int) throws(DatabaseError) -> String? {
        raw(column).map { String(decoding: $0, as: UTF8.self) }
    }

    package func bytesOrNil(_ column: Int) throws(DatabaseError) -> [UInt8]? {
        raw(column).map { [UInt8]($0) }
    }

    package func boolOrNil(_ column: Int) throws(DatabaseError) -> Bool? {
        try fixed(column, .bool, 1).map { $0[0] != 0 }
    }

    package func int2OrNil(_ column: Int) throws(DatabaseError) -> Int16? {
        try fixed(column, .int2, 2).map { Int16(bigEndian: $0.loadUnaligned(as: Int16.self)) }
    }

    package func int4OrNil(_ column: Int) throws(DatabaseError) -> Int32? {
        try fixed(column, .int4, 4).map { Int32(bigEndian: $0.loadUnaligned(as: Int32.self)) }
    }

    package func int8OrNil(_ column: Int) throws(DatabaseError) -> Int64? {
        try fixed(column, .int8, 8).map { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }

    package func uuidOrNil(_ column: Int) throws(DatabaseError) -> (high: UInt64, low: UInt64)? {
        try fixed(column, .uuid, 16).map { $0.loadUUID() }
    }

    package func timestampOrNil(_ column: Int) throws(DatabaseError) -> Int64? {
        try fixed(column, .timestamptz, 8).map {
            PostgresTime.toUnix(Int64(bigEndian: $0.loadUnaligned(as: Int64.self)))
        }
    }

    package func jsonOrNil(_ column: Int) throws(DatabaseError) -> [UInt8]? {
        guard let bytes = raw(column) else { return nil }
        guard type(column) == PostgresType.jsonb.rawValue else { return [UInt8](bytes) }
        // A jsonb starts with one byte, the version of its format.
        guard bytes.first == 1 else { throw wrong(column, "has an unknown jsonb version") }
        return [UInt8](bytes.dropFirst())
    }
}

extension Row {
    /// The value's bytes in libpq's memory, alive as long as `result`; nil for null and for a place that is not there.
    func raw(_ column: Int) -> UnsafeRawBufferPointer? {
        guard index >= 0, index < result.count, column >= 0, column < result.columnCount else { return nil }
        let (row, field) = (Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: column))
        guard PQgetisnull(result.handle, row, field) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result.handle, row, field), count: Int(PQgetlength(result.handle, row, field)))
    }

    func type(_ column: Int) -> UInt32 {
        PQftype(result.handle, Int32(truncatingIfNeeded: column))
    }

    func wrong(_ column: Int, _ what: String) -> DatabaseError {
        DatabaseError(.protocolViolation, detail: "column \(column) of row \(index) \(what)")
    }

    private func fixed(
        _ column: Int, _ expected: PostgresType, _ width: Int
    ) throws(DatabaseError) -> UnsafeRawBufferPointer? {
        guard let bytes = raw(column) else { return nil }
        guard type(column) == expected.rawValue, bytes.count == width else {
            throw wrong(column, "is of type \(type(column)) in \(bytes.count) bytes, not \(expected)")
        }
        return bytes
    }

    private func present<Value>(_ value: Value?, _ column: Int) throws(DatabaseError) -> Value {
        guard let value else { throw wrong(column, "is null or not there") }
        return value
    }
}

extension UnsafeRawBufferPointer {
    func loadUUID(at offset: Int = 0) -> (high: UInt64, low: UInt64) {
        (
            UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
            UInt64(bigEndian: loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        )
    }
}
