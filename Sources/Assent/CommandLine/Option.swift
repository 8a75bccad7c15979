/// An option of one command, beside the settings it takes.
struct Option: Sendable {
    /// Without the dashes.
    let name: String
    /// What stands for the value in help; nil for a switch, which takes none.
    let valueName: String?
    let required: Bool
    /// Whether it may be given more than once.
    let repeats: Bool
    let summary: String

    init(_ name: String, _ valueName: String?, required: Bool = false, repeats: Bool = false, _ summary: String) {
        self.name = name
        self.valueName = valueName
        self.required = required
        self.repeats = repeats
        self.summary = summary
    }
}
