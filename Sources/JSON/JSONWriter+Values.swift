extension JSONWriter {
    /// `null`.
    package mutating func null() { literal("null") }

    /// `true` or `false`.
    package mutating func bool(_ value: Bool) {
        if value { literal("true") } else { literal("false") }
    }

    /// A JSON number; ids of 64 bits are written with `string` by whoever knows them to be ids.
    package mutating func integer(_ value: Int64) {
        appendValue(atMost: 20) { $0 + ASCIIDigits.write(value, to: $0) }
    }

    /// A JSON number.
    package mutating func integer(_ value: Int) {
        integer(Int64(value))
    }

    /// A JSON number or `null`.
    package mutating func integer(_ value: Int?) {
        if let value { integer(value) } else { null() }
    }

    /// A UUID from its big-endian halves, in lower case with hyphens, as a string.
    package mutating func uuid(high: UInt64, low: UInt64) {
        appendValue(atMost: 38) { target in
            let first = ASCIIDigits.hexadecimal(UInt32(truncatingIfNeeded: high >> 32))
            let second = ASCIIDigits.hexadecimal(UInt32(truncatingIfNeeded: high))
            let third = ASCIIDigits.hexadecimal(UInt32(truncatingIfNeeded: low >> 32))
            let fourth = ASCIIDigits.hexadecimal(UInt32(truncatingIfNeeded: low))
            var end = target
            end.put(UInt8(ascii: "\""))
            end.put(first)
            end.put(UInt8(ascii: "-"))
            end.put(firstHalfOf: second)
            end.put(UInt8(ascii: "-"))
            end.put(secondHalfOf: second)
            end.put(UInt8(ascii: "-"))
            end.put(firstHalfOf: third)
            end.put(UInt8(ascii: "-"))
            end.put(secondHalfOf: third)
            end.put(fourth)
            end.put(UInt8(ascii: "\""))
            return end
        }
    }

    /// A moment in microseconds since the Unix epoch, as RFC 3339 in UTC with milliseconds.
    package mutating func timestamp(_ microseconds: Int64) {
        appendValue(atMost: RFC3339.length + 2) { target in
            target[0] = UInt8(ascii: "\"")
            RFC3339.write(microseconds, to: target + 1)
            target[RFC3339.length + 1] = UInt8(ascii: "\"")
            return target + (RFC3339.length + 2)
        }
    }

    /// A moment or `null`.
    package mutating func timestamp(_ microseconds: Int64?) {
        if let microseconds { timestamp(microseconds) } else { null() }
    }

    private mutating func literal(_ text: StaticString) {
        text.withUTF8Buffer { bytes in
            appendValue(atMost: bytes.count) { target in
                var end = target
                end.put(bytes)
                return end
            }
        }
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Writes eight bytes, in memory order, and moves past them.
    @inline(__always)
    fileprivate mutating func put(_ bytes: UInt64) {
        UnsafeMutableRawPointer(self).storeBytes(of: bytes, as: UInt64.self)
        self += 8
    }

    @inline(__always)
    fileprivate mutating func put(firstHalfOf bytes: UInt64) {
        UnsafeMutableRawPointer(self).storeBytes(of: UInt32(truncatingIfNeeded: bytes.littleEndian), as: UInt32.self)
        self += 4
    }

    @inline(__always)
    fileprivate mutating func put(secondHalfOf bytes: UInt64) {
        put(firstHalfOf: bytes.littleEndian >> 32)
    }
}
