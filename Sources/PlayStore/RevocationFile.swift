import JSON

/// The list of revoked app approvals that Google Play's console gives for download: a row for each revocation.
///
/// The first record names the columns: one is the install id (`Install ID`, `installId`, `install_id`), another may be the
/// date; capitals, blanks, hyphens and underscores make no difference, and further columns are passed over. The same install
/// id comes again when its approval was given again and taken back again.
package struct RevocationFile: Sendable, Hashable {
    /// One revocation.
    package struct Row: Sendable, Hashable {
        /// The first line of the file is 1.
        package let line: Int
        /// 1 to 128 bytes without control characters, as it stands there but for blanks around it.
        package let installID: String
        /// When it was taken back at the latest, in microseconds since the Unix epoch: of a day without a time, its last
        /// moment in UTC. Nil where the file says nothing.
        package let date: Int64?
        /// As it stands in the file, without its line end.
        package let text: String

        package init(line: Int, installID: String, date: Int64?, text: String) {
            self.line = line
            self.installID = installID
            self.date = date
            self.text = text
        }
    }

    package let rows: [Row]

    /// Reads a file, or says everything that is wrong with it.
    package init(_ bytes: [UInt8]) throws(RevocationFileFault) {
        let records = try DelimitedText(bytes).records
        guard let header = records.first else {
            throw RevocationFileFault([.init(line: 1, column: nil, detail: "must name the columns")])
        }
        let columns = try RevocationColumns(header)
        var rows: [Row] = []
        var places: [RevocationFileFault.Place] = []
        rows.reserveCapacity(records.count)
        for record in records.dropFirst() {
            let count = places.count
            guard record.fields.count == header.fields.count else {
                places.append(
                    .init(
                        line: record.line, column: nil,
                        detail: "must have \(header.fields.count) fields, as the first line has"))
                continue
            }
            let installID = record.fields[columns.installID].trimmed
            if !Self.isInstallID(installID) {
                places.append(
                    .init(
                        line: record.line, column: .installID,
                        detail: "must be 1 to 128 bytes without control characters"))
            }
            var date: Int64?
            if let column = columns.date {
                let text = record.fields[column].trimmed
                date = Self.moment(text)
                if date == nil, !text.isEmpty {
                    places.append(
                        .init(
                            line: record.line, column: .date,
                            detail: "must be a date such as 2026-07-31, or an RFC 3339 date and time"))
                }
            }
            if places.count == count {
                rows.append(Row(line: record.line, installID: installID, date: date, text: record.text))
            }
        }
        guard places.isEmpty else {
            throw RevocationFileFault(Array(places.prefix(RevocationFileFault.maximum)))
        }
        self.rows = rows
    }

    private static func isInstallID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
    }

    private static func moment(_ text: String) -> Int64? {
        if let moment = RFC3339.parse(text) { return moment }
        guard text.utf8.count == 10, let midnight = RFC3339.parse(text + "T00:00:00Z") else { return nil }
        return midnight + 86_400_000_000 - 1
    }
}

extension String {
    /// Without blanks around it.
    fileprivate var trimmed: String {
        let scalars = unicodeScalars.drop(while: \.properties.isWhitespace)
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
