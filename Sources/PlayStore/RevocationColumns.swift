/// Where the columns that matter stand.
struct RevocationColumns: Sendable, Equatable {
    let installID: Int
    let date: Int?

    init(_ header: DelimitedText.Record) throws(RevocationFileFault) {
        let names = header.fields.map(Self.plain)
        var places: [RevocationFileFault.Place] = []
        func column(_ column: RevocationFileFault.Column, _ wanted: Set<String>, isRequired: Bool) -> Int? {
            let found = names.indices.filter { wanted.contains(names[$0]) }
            if found.count > 1 {
                places.append(.init(line: header.line, column: column, detail: "must be one column"))
            } else if found.isEmpty, isRequired {
                places.append(
                    .init(line: header.line, column: column, detail: "must be a column, named \"Install ID\""))
            }
            return found.first
        }
        let installID = column(.installID, ["installid"], isRequired: true)
        date = column(.date, Self.dateNames, isRequired: false)
        guard places.isEmpty, let installID else { throw RevocationFileFault(places) }
        self.installID = installID
    }

    private static let dateNames: Set<String> = [
        "date", "revocationdate", "revokeddate", "daterevoked", "revokedat", "revokedon",
    ]

    /// A column's name without what people and exports write differently.
    private static func plain(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.lowercased().unicodeScalars.filter { scalar in
                    !scalar.properties.isWhitespace && scalar != "_" && scalar != "-"
                }))
    }
}
