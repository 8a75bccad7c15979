/// A command line that fits its command: every name is known, every required option is there.
struct Invocation: Sendable {
    let command: Subcommand
    /// Values by option name; a switch that was given has one empty value.
    let options: [String: [String]]
    /// Texts of the settings given as flags, by setting name; a switch reads `true`.
    let flags: [String: String]
    let operands: [String]

    /// The option's only value.
    func value(_ option: String) -> String? { options[option]?.first }

    /// Every value of an option that repeats, in the order given.
    func values(_ option: String) -> [String] { options[option] ?? [] }

    /// Whether a switch was given.
    func has(_ option: String) -> Bool { options[option] != nil }
}
