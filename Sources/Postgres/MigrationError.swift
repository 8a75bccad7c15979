/// Why the schema is not brought up to date.
package enum MigrationError: Error, Sendable {
    /// A file or folder cannot be read, or is not UTF-8.
    case unreadable(String)
    /// A `.sql` file is not named `NNNN_name.sql`.
    case badName(String)
    /// Two migrations carry this number.
    case duplicate(Int32)
    /// The database holds a migration this program does not know: it was migrated by a newer one.
    case newer(number: Int32, name: String)
    /// A migration was changed after it had been applied.
    case edited(number: Int32, name: String)
    /// A migration was added below one that is applied already.
    case outOfOrder(number: Int32, name: String)
    /// A migration ended the transaction it runs in.
    case leftTransaction(number: Int32, name: String)
    /// A migration was refused by the server; nothing of it is left.
    case failed(number: Int32, name: String, DatabaseError)
    /// The database could not be asked.
    case database(DatabaseError)
}

extension MigrationError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path): "\(path) cannot be read"
        case .badName(let file): "\(file) is not named NNNN_name.sql"
        case .duplicate(let number): "two migrations have the number \(number)"
        case .newer(let number, let name):
            "the database is newer than this program: it holds migration \(number) \(name)"
        case .edited(let number, let name): "migration \(number) \(name) was edited after it had been applied"
        case .outOfOrder(let number, let name):
            "migration \(number) \(name) is not applied although a later one is"
        case .leftTransaction(let number, let name): "migration \(number) \(name) ends its own transaction"
        case .failed(let number, let name, let error):
            // Migrations are our own text and hold nobody's data, and whoever runs them needs the server's words.
            "migration \(number) \(name) failed: \(error.debugDescription)"
        case .database(let error): error.connectMessage.map { "\(error): \($0)" } ?? error.description
        }
    }

    package var debugDescription: String { description }
}
