/// A body that is JSON but not acceptable, with every wrong field in the order of reading; never empty.
package struct InvalidFields: Error, Equatable, Sendable {
    package let errors: [FieldError]

    package init(_ errors: [FieldError]) {
        self.errors = errors
    }
}
