/// Takes one record after the other off a text.
struct DelimitedTextScanner {
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let carriageReturn: UInt8 = 0x0d
    private static let lineFeed: UInt8 = 0x0a

    var rest: ArraySlice<UInt8>
    private var line = 1

    init(bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The next record with anything in it; nil at the end.
    mutating func next() throws(RevocationFileFault) -> DelimitedText.Record? {
        while !rest.isEmpty {
            let start = line
            let before = rest
            var fields: [String] = []
            repeat { fields.append(try field()) } while takes(Self.comma)
            let text = String(decoding: before[..<rest.startIndex], as: UTF8.self)
            try endLine()
            if fields != [""] { return DelimitedText.Record(line: start, fields: fields, text: text) }
        }
        return nil
    }

    private mutating func field() throws(RevocationFileFault) -> String {
        takes(Self.quote) ? try quoted() : try bare()
    }

    private mutating func bare() throws(RevocationFileFault) -> String {
        let end = rest.firstIndex { $0 == Self.comma || $0 == Self.lineFeed || $0 == Self.carriageReturn }
        let bytes = rest[..<(end ?? rest.endIndex)]
        if bytes.contains(Self.quote) { throw fault("a quote stands inside a field that is not quoted") }
        rest = rest[bytes.endIndex...]
        return try text(Array(bytes))
    }

    /// The opening quote is taken already.
    private mutating func quoted() throws(RevocationFileFault) -> String {
        let start = line
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == Self.lineFeed { line += 1 }
            guard byte == Self.quote else {
                bytes.append(byte)
                continue
            }
            if takes(Self.quote) {
                bytes.append(Self.quote)
                continue
            }
            guard rest.isEmpty || [Self.comma, Self.lineFeed, Self.carriageReturn].contains(rest[rest.startIndex])
            else { throw fault("text follows a closing quote") }
            return try text(bytes)
        }
        line = start
        throw fault("a quote is not closed")
    }

    private mutating func endLine() throws(RevocationFileFault) {
        if takes(Self.carriageReturn), rest.first != Self.lineFeed { throw fault("a carriage return stands alone") }
        if takes(Self.lineFeed) { line += 1 }
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private func text(_ bytes: [UInt8]) throws(RevocationFileFault) -> String {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw fault("the text is not UTF-8, or holds U+0000")
        }
        return text
    }

    private func fault(_ detail: String) -> RevocationFileFault {
        RevocationFileFault([.init(line: line, column: nil, detail: detail)])
    }
}
