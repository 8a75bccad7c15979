/// A table as text by RFC 4180, read strictly: commas, double quotes, a record a line.
///
/// More generous than the memo in two things that programs differ in: a line may end in LF alone, and the text may begin with
/// a byte order mark. Lines without anything in them are passed over.
struct DelimitedText: Sendable, Equatable {
    /// One record, with the line of the text it begins on; the first line is 1.
    struct Record: Sendable, Equatable {
        let line: Int
        let fields: [String]
        /// As it stands in the text, without its line end.
        let text: String
    }

    let records: [Record]

    /// Reads a text as UTF-8, or says on which line it cannot be read any further.
    init(_ bytes: [UInt8]) throws(RevocationFileFault) {
        var scanner = DelimitedTextScanner(bytes: bytes[...])
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { scanner.rest = bytes[3...] }
        var records: [Record] = []
        while let record = try scanner.next() { records.append(record) }
        self.records = records
    }
}
