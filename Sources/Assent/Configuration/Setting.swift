/// One setting: a row of the table from which flags, environment, help and the README's table are made.
struct Setting: Sendable {
    enum Group: String, Sendable, CaseIterable {
        case listening = "Listening"
        case database = "Database"
        case stores = "Stores"
        case secrets = "Secrets"
        case throughput = "Throughput"
        case limits = "Limits"
        case streams = "Streams"
        case webhooks = "Webhooks"
        case retention = "Retention"
        case logging = "Logging"
    }

    let group: Group
    /// The flag without its dashes.
    let name: String
    let environment: String
    /// Whether it can be given as a flag: what must stay secret cannot, as everybody on a machine sees command lines.
    let isFlag: Bool
    /// What stands for the value in help; nil for a switch.
    let valueName: String?
    /// Whether the flag may be given more than once; the values are then joined by colons, as in the variable.
    let repeats: Bool
    let summary: String
    /// Its text in a configuration, as it may be given; empty where nothing is set.
    let show: @Sendable (Configuration) -> String
    /// The same, fit for a log: without what must stay secret.
    let masked: @Sendable (Configuration) -> String
    /// Reads a text into a configuration; false where the text does not fit.
    let apply: @Sendable (String, inout Configuration) -> Bool
    /// What a text must be, for the complaint: `a whole number from 1 to 64`.
    let expectation: String

    /// - Parameters:
    ///   - environment: by default the name in capitals, with `ASSENT_` before it.
    ///   - mask: what a log may show of the text.
    init<Value>(
        _ group: Group, _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable,
        _ form: SettingForm<Value>, environment: String? = nil, isFlag: Bool = true,
        mask: @escaping @Sendable (String) -> String = { $0 }, _ summary: String
    ) {
        self.group = group
        self.name = name
        self.environment = environment ?? Self.variable(for: name)
        self.isFlag = isFlag
        self.valueName = form.valueName
        self.repeats = form.repeats
        self.summary = summary
        self.expectation = form.expectation
        self.show = { form.show($0[keyPath: path]) }
        self.masked = { mask(form.show($0[keyPath: path])) }
        self.apply = { text, configuration in
            guard let value = form.parse(text) else { return false }
            configuration[keyPath: path] = value
            return true
        }
    }

    /// The default's text; empty where there is none.
    var defaultText: String { show(Configuration()) }

    private static func variable(for name: String) -> String {
        "ASSENT_" + name.uppercased().split(separator: "-").joined(separator: "_")
    }
}
