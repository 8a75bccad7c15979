extension AskRequest {
    /// The text guardians will read and its language: the caller's own, else the change's in the language that the body
    /// names, else in one that the request prefers.
    ///
    /// A description is required of every topic but a change, and a change has at least one text; without either the
    /// text is empty.
    func text(change: Change?) -> (description: String, language: String?) {
        if let description { return (description, language) }
        guard let best = change?.settings.text(for: language.map { [$0] } ?? preferredLanguages) else {
            return ("", language)
        }
        return (best.text, best.language)
    }
}
