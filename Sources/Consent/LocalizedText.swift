/// A text with its language.
package struct LocalizedText: Sendable, Hashable {
    package let language: String
    package let text: String

    package init(language: String, text: String) {
        self.language = language
        self.text = text
    }
}
