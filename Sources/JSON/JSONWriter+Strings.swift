extension JSONWriter {
    /// A string, escaped only where RFC 8259 demands it: the quote, the backslash and control characters.
    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string(utf8: $0) }
    }

    /// A string or `null`.
    package mutating func string(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    /// A string from its bytes, which must be valid UTF-8.
    package mutating func string(utf8 bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { string(utf8: $0) }
    }

    /// A string from its bytes, which must be valid UTF-8.
    package mutating func string(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.needsEscaping {
            escaped(bytes)
            return
        }
        appendValue(atMost: bytes.count + 2) { target in
            var end = target
            end.put(UInt8(ascii: "\""))
            end.put(bytes)
            end.put(UInt8(ascii: "\""))
            return end
        }
    }

    private mutating func escaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        appendValue(atMost: bytes.count * 6 + 2) { target in
            var end = target
            end.put(UInt8(ascii: "\""))
            var start = 0
            for (index, byte) in bytes.enumerated() where byte.needsEscaping {
                end.put(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                end.putEscaped(byte)
                start = index + 1
            }
            end.put(UnsafeBufferPointer(rebasing: bytes[start...]))
            end.put(UInt8(ascii: "\""))
            return end
        }
    }
}

extension UInt8 {
    fileprivate var needsEscaping: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether any byte needs escaping, eight at a time: in each term the top bit of a byte is set if that byte is
    /// below 0x20, or equal to the quote or the backslash (a borrow can set further bits, only above one that is due).
    fileprivate var needsEscaping: Bool {
        guard let start = baseAddress else { return false }
        let raw = UnsafeRawPointer(start)
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index + 8 <= count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
            if found & (ones &* 0x80) != 0 { return true }
            index += 8
        }
        while index < count {
            if start[index].needsEscaping { return true }
            index += 1
        }
        return false
    }
}

extension UnsafeMutablePointer<UInt8> {
    fileprivate mutating func putEscaped(_ byte: UInt8) {
        put(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: put(UInt8(ascii: "b"))
        case 0x09: put(UInt8(ascii: "t"))
        case 0x0A: put(UInt8(ascii: "n"))
        case 0x0C: put(UInt8(ascii: "f"))
        case 0x0D: put(UInt8(ascii: "r"))
        case 0x00..<0x20:
            put(UInt8(ascii: "u"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0") &+ byte >> 4)
            let digit = byte & 0x0F
            put(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ digit &- 10)
        default: put(byte)
        }
    }
}
