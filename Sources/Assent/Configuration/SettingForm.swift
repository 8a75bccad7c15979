import Crypto

/// How one kind of value is written in a flag or a variable.
struct SettingForm<Value: Sendable>: Sendable {
    /// What stands for it in help; nil for a switch.
    let valueName: String?
    let expectation: String
    /// Whether several values can be given.
    let repeats: Bool
    let parse: @Sendable (String) -> Value?
    let show: @Sendable (Value) -> String

    init(
        valueName: String?, expectation: String, repeats: Bool = false, parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) {
        self.valueName = valueName
        self.expectation = expectation
        self.repeats = repeats
        self.parse = parse
        self.show = show
    }
}

extension SettingForm<[String]> {
    /// Paths, with colons between them; none of them holds a colon. None by default.
    static func paths(_ valueName: String) -> Self {
        SettingForm(
            valueName: valueName, expectation: "paths with colons between them, none of them empty", repeats: true,
            parse: { text in
                let paths = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
                return paths.contains("") ? nil : paths
            },
            show: { $0.joined(separator: ":") })
    }
}

extension SettingForm<[SecretKey]> {
    /// Keys of the operator, with commas between them; never shown.
    static var secretKeys: Self {
        SettingForm(
            valueName: "keys",
            expectation:
                "32 bytes in base64 (openssl rand -base64 32), or several with commas between, the newest first",
            parse: { SecretKey.list($0) }, show: { $0.isEmpty ? "" : "***" })
    }
}

extension SettingForm<Bool> {
    /// Given without a value as a flag; `true`, `1`, `false` or `0` in the environment.
    static var flag: Self {
        SettingForm(
            valueName: nil, expectation: "true or false",
            parse: { text in
                switch text {
                case "true", "1": true
                case "false", "0": false
                default: nil
                }
            },
            show: { $0 ? "true" : "false" })
    }
}

extension SettingForm<Int> {
    /// Plain decimal digits within a range.
    static func number(_ range: ClosedRange<Int>) -> Self {
        SettingForm(
            valueName: "n", expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: { DecimalText.parse($0).flatMap { range.contains($0) ? $0 : nil } },
            show: { "\($0)" })
    }

    /// Bytes, plain or with `KiB` or `MiB` after them.
    static func size(_ range: ClosedRange<Int>) -> Self {
        SettingForm(
            valueName: "size",
            expectation: "a size from \(ByteSizeText.show(range.lowerBound)) to \(ByteSizeText.show(range.upperBound))",
            parse: { ByteSizeText.parse($0).flatMap { range.contains($0) ? $0 : nil } },
            show: ByteSizeText.show)
    }
}

extension SettingForm<Duration> {
    /// Digits with `ms`, `s`, `m` or `h` after them.
    static func duration(_ range: ClosedRange<Duration>) -> Self {
        let lower = DurationText.show(range.lowerBound)
        let upper = DurationText.show(range.upperBound)
        return SettingForm(
            valueName: "time", expectation: "a time from \(lower) to \(upper), such as 500ms, 10s or 2m",
            parse: { DurationText.parse($0).flatMap { range.contains($0) ? $0 : nil } },
            show: DurationText.show)
    }
}

extension SettingForm<String> {
    /// Any text but an empty one.
    static func text(_ valueName: String) -> Self {
        SettingForm(
            valueName: valueName, expectation: "a text that is not empty",
            parse: { $0.isEmpty ? nil : $0 }, show: { $0 })
    }
}

extension SettingForm<String?> {
    /// Any text but an empty one; not set by default.
    static func optionalText(_ valueName: String) -> Self {
        SettingForm(
            valueName: valueName, expectation: "a text that is not empty",
            parse: { $0.isEmpty ? nil : .some($0) }, show: { $0 ?? "" })
    }
}

extension SettingForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of the names of an enum's cases.
    static var choice: Self {
        let names = Value.allCases.map(\.rawValue)
        return SettingForm(
            valueName: names.joined(separator: "|"), expectation: "one of " + names.joined(separator: ", "),
            parse: { Value(rawValue: $0) }, show: { $0.rawValue })
    }
}
