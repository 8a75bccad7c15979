/// Everything that is wrong with a file of revocations; nothing of it was used.
package struct RevocationFileFault: Error, Sendable, Hashable {
    /// What is wrong in one place.
    package struct Place: Sendable, Hashable {
        /// The first line of the file is 1.
        package let line: Int
        /// Nil: the line as a whole.
        package let column: Column?
        /// Completes "this ...": free of what stands there.
        package let detail: String

        package init(line: Int, column: Column?, detail: String) {
            self.line = line
            self.column = column
            self.detail = detail
        }
    }

    /// A column that is read.
    package enum Column: String, Sendable, Hashable {
        case installID = "installId"
        case date
    }

    /// Beyond so many a file is not of this kind, and naming all of it helps nobody.
    static let maximum = 1_000

    package let places: [Place]

    init(_ places: [Place]) {
        self.places = places
    }
}
