/// One thing wrong with how the server is configured, in a sentence that names the setting.
struct ConfigurationFault: Error, Sendable, Hashable {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}
