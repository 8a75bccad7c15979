/// A statement known at compile time: SQL with numbered binds, prepared once per connection in the flight that first
/// needs it, its rows always in binary.
///
/// The name must be unique among all statements that share a connection. The text is a `String` only so that constant
/// pieces, such as a table's columns, are written once; it never holds a value.
package struct Statement: Sendable {
    let name: StaticString
    let sql: String
    let parameterTypes: [PostgresType]
    /// The name again, as the key of what a connection has prepared.
    let key: String

    package init(_ name: StaticString, _ sql: String, parameterTypes: [PostgresType] = []) {
        self.name = name
        self.sql = sql
        self.parameterTypes = parameterTypes
        key = name.description
    }
}
