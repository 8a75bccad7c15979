extension Row {
    /// The elements of a `text[]`, nil for a null element; a null array throws.
    package func texts(_ column: Int) throws(DatabaseError) -> [String?] {
        try elements(column, of: .text) { String(decoding: $0, as: UTF8.self) }
    }

    /// The elements of a `uuid[]` as big-endian halves.
    package func uuids(_ column: Int) throws(DatabaseError) -> [(high: UInt64, low: UInt64)?] {
        try elements(column, of: .uuid, width: 16) { $0.loadUUID() }
    }

    package func int8s(_ column: Int) throws(DatabaseError) -> [Int64?] {
        try elements(column, of: .int8, width: 8) { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }

    package func int4s(_ column: Int) throws(DatabaseError) -> [Int32?] {
        try elements(column, of: .int4, width: 4) { Int32(bigEndian: $0.loadUnaligned(as: Int32.self)) }
    }

    package func int2s(_ column: Int) throws(DatabaseError) -> [Int16?] {
        try elements(column, of: .int2, width: 2) { Int16(bigEndian: $0.loadUnaligned(as: Int16.self)) }
    }

    package func bools(_ column: Int) throws(DatabaseError) -> [Bool?] {
        try elements(column, of: .bool, width: 1) { $0[0] != 0 }
    }

    package func byteas(_ column: Int) throws(DatabaseError) -> [[UInt8]?] {
        try elements(column, of: .bytea) { [UInt8]($0) }
    }

    package func jsons(_ column: Int) throws(DatabaseError) -> [[UInt8]?] {
        try elements(column, of: .json) { [UInt8]($0) }
    }

    /// The elements of a `timestamptz[]` in microseconds since the Unix epoch.
    package func timestamps(_ column: Int) throws(DatabaseError) -> [Int64?] {
        try elements(column, of: .timestamptz, width: 8) {
            PostgresTime.toUnix(Int64(bigEndian: $0.loadUnaligned(as: Int64.self)))
        }
    }

    /// Walks the binary array format: dimensions, null flag, element type, then per dimension its length and lower
    /// bound, then the elements. Only one dimension is taken.
    private func elements<Value>(
        _ column: Int, of element: PostgresType, width: Int? = nil, _ decode: (UnsafeRawBufferPointer) -> Value
    ) throws(DatabaseError) -> [Value?] {
        guard let bytes = raw(column) else { throw wrong(column, "is null or not there") }
        func int32(_ offset: Int) throws(DatabaseError) -> Int32 {
            guard offset >= 0, offset + 4 <= bytes.count else { throw wrong(column, "is cut short") }
            return Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
        }
        let dimensions = try int32(0)
        guard dimensions >= 0, dimensions <= 1, try UInt32(bitPattern: int32(8)) == element.rawValue else {
            throw wrong(column, "is not a plain array of \(element)")
        }
        guard dimensions == 1 else { return [] }
        let count = Int(try int32(12))
        guard count >= 0, count <= bytes.count / 4 else { throw wrong(column, "has an impossible length") }
        var values: [Value?] = []
        values.reserveCapacity(count)
        var offset = 20
        for _ in 0..<count {
            let length = Int(try int32(offset))
            offset += 4
            guard length >= 0 else {
                values.append(nil)
                continue
            }
            guard offset + length <= bytes.count, width.map({ $0 == length }) ?? true else {
                throw wrong(column, "has an element of \(length) bytes")
            }
            values.append(decode(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)])))
            offset += length
        }
        return values
    }
}
