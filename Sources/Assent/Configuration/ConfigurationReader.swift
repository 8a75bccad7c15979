/// Puts a configuration together: by flag, then by environment, then by default, with every fault at once.
struct ConfigurationReader: Sendable {
    /// Where a setting's value came from.
    enum Source: String, Sendable {
        case flag
        case environment
        case standard = "default"
    }

    let settings: [Setting]
    let environment: [String: String]

    struct Reading: Sendable {
        var configuration = Configuration()
        /// By setting name.
        var sources: [String: Source] = [:]
        var faults: [ConfigurationFault] = []
    }

    /// - Parameter flags: texts by setting name.
    func read(flags: [String: String]) -> Reading {
        var reading = Reading()
        for setting in settings {
            let source: Source
            let spelled: String
            let text: String
            if let given = flags[setting.name] {
                (source, spelled, text) = (.flag, "--\(setting.name)", given)
            } else if let given = environment[setting.environment] {
                (source, spelled, text) = (.environment, setting.environment, given)
            } else {
                reading.sources[setting.name] = .standard
                continue
            }
            reading.sources[setting.name] = source
            if !setting.apply(text, &reading.configuration) {
                reading.faults.append(ConfigurationFault("\(spelled) must be \(setting.expectation)"))
            }
        }
        reading.faults += reading.configuration.contradictions
        return reading
    }

    /// Variables that look like ours and are none: most likely misspelled.
    func strangers() -> [(name: String, near: [String])] {
        let known = Setting.table.map(\.environment)
        return environment.keys.filter { $0.hasPrefix("ASSENT_") && !known.contains($0) }.sorted()
            .map { ($0, Spelling.near($0, among: known)) }
    }
}
