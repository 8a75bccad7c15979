/// The headers of a request: one copy of the bytes that came, an index into it, and Strings only for what is asked.
package struct Headers: Sendable {
    /// Offsets into `bytes`. A head is bounded well below 64 KiB, so 16 bits do.
    struct Entry: Sendable {
        var name: UInt16
        var nameLength: UInt16
        var value: UInt16
        var valueLength: UInt16
    }

    private let bytes: [UInt8]
    private let entries: [Entry]

    init(bytes: [UInt8], entries: [Entry]) {
        self.bytes = bytes
        self.entries = entries
    }

    /// Headers put together by hand, for tests and for callers without a socket. What does not fit into 64 KiB is left out.
    package init(_ fields: [HeaderField] = []) {
        var bytes: [UInt8] = []
        var entries: [Entry] = []
        for field in fields {
            let name = Array(field.name.utf8)
            let value = Array(field.value.utf8)
            guard bytes.count + name.count + value.count <= Int(UInt16.max) else { break }
            entries.append(
                Entry(
                    name: UInt16(bytes.count), nameLength: UInt16(name.count), value: UInt16(bytes.count + name.count),
                    valueLength: UInt16(value.count)))
            bytes += name
            bytes += value
        }
        self.init(bytes: bytes, entries: entries)
    }

    package var count: Int { entries.count }

    /// The first value under this name, in whichever case it was sent; bytes that are not UTF-8 read as U+FFFD.
    package subscript(_ name: String) -> String? {
        for entry in entries where matches(entry, name) { return text(entry) }
        return nil
    }

    /// Every value under this name, in the order they were sent.
    package func all(_ name: String) -> [String] {
        var values: [String] = []
        for entry in entries where matches(entry, name) { values.append(text(entry)) }
        return values
    }

    /// How often this name was sent.
    package func occurrences(of name: String) -> Int {
        entries.reduce(0) { $0 + (matches($1, name) ? 1 : 0) }
    }

    /// The bytes of the first value under this name, unchanged.
    package func bytes(of name: String) -> ArraySlice<UInt8>? {
        for entry in entries where matches(entry, name) { return value(entry) }
        return nil
    }

    /// Name and value bytes of each header, in the order they were sent.
    func forEach(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
        for entry in entries { body(name(entry), value(entry)) }
    }

    private func name(_ entry: Entry) -> ArraySlice<UInt8> {
        bytes[Int(entry.name)..<Int(entry.name) + Int(entry.nameLength)]
    }

    private func value(_ entry: Entry) -> ArraySlice<UInt8> {
        bytes[Int(entry.value)..<Int(entry.value) + Int(entry.valueLength)]
    }

    private func text(_ entry: Entry) -> String { String(decoding: value(entry), as: UTF8.self) }

    private func matches(_ entry: Entry, _ name: String) -> Bool {
        let wanted = name.utf8
        guard wanted.count == Int(entry.nameLength) else { return false }
        var at = Int(entry.name)
        for byte in wanted {
            if bytes[at].lowered != byte.lowered { return false }
            at += 1
        }
        return true
    }
}
