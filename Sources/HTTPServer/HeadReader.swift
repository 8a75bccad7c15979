/// Reads the head that libmicrohttpd has taken apart in place, and finds what that library hides: it cuts values at NUL bytes,
/// drops folded lines and takes bare line feeds, all of which leave traces in where its pieces lie in memory.
///
/// The head is one block in which colons and line ends have become NUL. Between one value and the next name there must lie
/// exactly CR and LF, and a name must directly precede its colon.
struct HeadReader {
    /// Offsets are from the first byte after the request line's version.
    let block: UnsafeRawBufferPointer
    private(set) var entries: [Headers.Entry] = []
    private(set) var fault: Fault?
    /// Where the last accepted piece ended.
    private var cursor = 0

    init(block: UnsafeRawBufferPointer) {
        self.block = block
        entries.reserveCapacity(16)
    }

    /// Takes the next header as the library sees it. Pointers may lie outside the block: it copies the names of folded lines.
    mutating func take(name: UnsafeRawPointer, nameLength: Int, value: UnsafeRawPointer, valueLength: Int) {
        guard fault == nil, let base = block.baseAddress else { return }
        let nameAt = name - base
        let valueAt = value - base
        guard nameAt >= 0, nameAt + nameLength <= block.count else {
            return refuse(name, nameLength, "a header line is folded")
        }
        guard nameAt == cursor + 2 else {
            return refuse(name, nameLength, "the line before it does not end with one CR LF, or holds a NUL")
        }
        let nameBytes = block[nameAt..<nameAt + nameLength]
        guard nameLength > 0, nameBytes.allSatisfy(\.isTokenByte) else {
            return refuse(name, nameLength, "a header's name must be a token directly before its colon")
        }
        guard valueAt > nameAt + nameLength, valueAt + valueLength <= block.count,
            block[nameAt + nameLength + 1..<valueAt].allSatisfy(\.isBlank)
        else {
            return refuse(name, nameLength, "a header line is folded or holds a NUL")
        }
        let valueBytes = block[valueAt..<valueAt + valueLength]
        guard valueBytes.allSatisfy(\.isFieldByte) else {
            return refuse(name, nameLength, "a header's value holds a control byte")
        }
        cursor = valueAt + valueLength
        let trimmed = valueBytes.lastIndex { !$0.isBlank }.map { $0 + 1 - valueAt } ?? 0
        entries.append(
            Headers.Entry(
                name: UInt16(truncatingIfNeeded: nameAt), nameLength: UInt16(truncatingIfNeeded: nameLength),
                value: UInt16(truncatingIfNeeded: valueAt), valueLength: UInt16(truncatingIfNeeded: trimmed)))
    }

    /// The headers, once all were taken: what is left of the block must be the last line's end and the blank line.
    mutating func finish() throws(Fault) -> Headers {
        if let fault { throw fault }
        guard block.count <= Int(UInt16.max) else { throw .headTooLarge(limit: Int(UInt16.max)) }
        guard block.count - cursor == 4 else {
            throw .badHeader(name: "", detail: "the head's last line does not end with one CR LF, or holds a NUL")
        }
        return Headers(bytes: Array(block), entries: entries)
    }

    private mutating func refuse(_ name: UnsafeRawPointer, _ length: Int, _ detail: String) {
        let shown = UnsafeRawBufferPointer(start: name, count: min(length, 64)).map { byte in
            byte.isTokenByte ? byte : UInt8(ascii: "?")
        }
        fault = .badHeader(name: String(decoding: shown, as: UTF8.self), detail: detail)
    }
}
