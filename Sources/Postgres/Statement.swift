/// A statement known at compile time: SQL with numbered binds, prepared once per connection in the flight that first
/// needs it, its rows always in binary.
///
/// The name must be unique among all statements that share a connection.
package struct Statement: Sendable {
    let name: StaticString
    let sql: StaticString
    let parameterTypes: [PostgresType]
    /// The name again, as the key of what a connection has prepared.
    let key: String

    package init(_ name: StaticString, _ sql: StaticString, parameterTypes: [PostgresType] = []) {
        self.name = name
        self.sql = sql
        self.parameterTypes = parameterTypes
        key = name.description
    }
}
