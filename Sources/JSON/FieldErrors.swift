/// Collects what is wrong with one body; shared by all readers of that body, on the task that reads it.
///
/// It also keeps the document, so that no reader outlives the value it points at.
final class FieldErrors {
    /// Beyond this many a body is noise, and naming all of it would make small requests buy large answers.
    static let maximum = 1_000

    private let document: JSONDocument
    private var errors: [FieldError] = []
    private var omitted = 0

    init(of document: JSONDocument) {
        self.document = document
    }

    var isEmpty: Bool { errors.isEmpty }

    func add(_ detail: @autoclosure () -> String, at path: FieldPath) {
        guard errors.count < Self.maximum else {
            omitted += 1
            return
        }
        errors.append(FieldError(pointer: path.pointer, detail: detail()))
    }

    /// What to throw; a reader that gave up without naming a field still yields an error.
    func failure() -> InvalidFields {
        if errors.isEmpty {
            return InvalidFields([FieldError(pointer: "", detail: "is not acceptable")])
        }
        if omitted > 0 {
            return InvalidFields(errors + [FieldError(pointer: "", detail: "has \(omitted) more wrong fields")])
        }
        return InvalidFields(errors)
    }
}
