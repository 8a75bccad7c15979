/// One numbered step of the schema: forward only, never edited once released.
package struct Migration: Sendable {
    package let number: Int32
    package let name: String
    package let sql: String

    package init(number: Int32, name: String, sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }

    /// Reads `NNNN_name.sql` from a folder, in order of number. Files of other kinds are left alone; a `.sql` file
    /// that is not so named is an error, for it would silently never run.
    package static func read(folder: String) throws(MigrationError) -> [Migration] {
        guard let status = File.target(folder), File.isFolder(status) else { throw .unreadable(folder) }
        var migrations: [Migration] = []
        for file in File.names(in: folder) where file.hasSuffix(".sql") {
            let parts = file.dropLast(4).split(separator: "_", maxSplits: 1)
            guard parts.count == 2, parts[0].count == 4, parts[0].utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int32(parts[0])
            else { throw .badName(file) }
            guard let bytes = File.read("\(folder)/\(file)"), let sql = String(validating: bytes, as: UTF8.self)
            else { throw .unreadable("\(folder)/\(file)") }
            migrations.append(Migration(number: number, name: String(parts[1]), sql: sql))
        }
        return migrations.sorted { $0.number < $1.number }
    }
}
