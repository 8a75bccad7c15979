/// One `name=value` of a query, both percent-decoded once, `+` read as a space as HTML forms write it.
package struct QueryItem: Sendable, Hashable {
    package let name: String
    /// Empty when the item has no `=`.
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
