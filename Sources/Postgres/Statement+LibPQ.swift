import CLibPQ

extension StaticString {
    /// Calls `body` with the null-terminated bytes the compiler laid down.
    fileprivate func withCString<Value>(_ body: (UnsafePointer<CChar>?) -> Value) -> Value {
        withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress) }
        }
    }
}

extension Statement {
    /// Queues the preparation; false when libpq refuses.
    func sendPrepare(_ handle: OpaquePointer) -> Bool {
        let types = parameterTypes.map(\.rawValue)
        return name.withCString { name in
            sql.withCString { sql in
                PQsendPrepare(handle, name, sql, Int32(clamping: types.count), types) == 1
            }
        }
    }

    /// Queues the statement and its execution as one, preparing nothing; false when libpq refuses.
    func sendWhole(_ parameters: Parameters, _ handle: OpaquePointer) -> Bool {
        let types = parameterTypes.map(\.rawValue)
        return sql.withCString { sql in
            guard parameters.count > 0 else {
                return PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1
            }
            return parameters.withPointers { values, lengths, formats in
                PQsendQueryParams(
                    handle, sql, Int32(clamping: parameters.count), types, values, lengths, formats, 1) == 1
            }
        }
    }

    /// Queues one execution, everything in binary; false when libpq refuses.
    func send(_ parameters: Parameters, _ handle: OpaquePointer) -> Bool {
        let count = parameters.count
        guard count > 0 else {
            return name.withCString { PQsendQueryPrepared(handle, $0, 0, nil, nil, nil, 1) == 1 }
        }
        return parameters.withPointers { values, lengths, formats in
            name.withCString {
                PQsendQueryPrepared(handle, $0, Int32(clamping: count), values, lengths, formats, 1) == 1
            }
        }
    }
}

extension Parameters {
    /// Lends the arrays libpq wants; it copies the values before returning.
    fileprivate func withPointers<Value>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        let slots = slots
        return bytes.withUnsafeBytes { buffer in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: slots.count) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: slots.count * 2) { numbers in
                    for (index, slot) in slots.enumerated() {
                        values.initializeElement(
                            at: index, to: slot.length < 0 ? nil : buffer.pointer(at: slot.offset))
                        numbers.initializeElement(at: index, to: max(slot.length, 0))
                        numbers.initializeElement(at: slots.count + index, to: 1)
                    }
                    return body(
                        values.baseAddress, numbers.baseAddress, numbers.baseAddress.map { $0 + slots.count })
                }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Never null: to libpq a null pointer is a null value, and an empty value in an empty buffer is not that.
    fileprivate func pointer(at offset: Int) -> UnsafePointer<CChar>? {
        guard let baseAddress else { return Parameters.empty }
        return (baseAddress + offset).assumingMemoryBound(to: CChar.self)
    }
}

extension Parameters {
    /// The address of nothing: an immortal empty string.
    fileprivate static var empty: UnsafePointer<CChar>? {
        let nothing: StaticString = ""
        return UnsafeRawPointer(nothing.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
