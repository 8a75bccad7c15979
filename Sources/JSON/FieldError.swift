/// One wrong field of a body that could be read: where it stands and what it must be.
package struct FieldError: Sendable, Equatable {
    /// RFC 6901 pointer from the top of the body; `""` is the body itself.
    package let pointer: String
    /// Plain English that completes "this field ...", such as `must be true or false`.
    package let detail: String

    package init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}
