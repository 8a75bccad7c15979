extension AskRequest {
    /// The text guardians will read and its language: the caller's own, else the change's in the caller's language.
    ///
    /// A description is required of every topic but a change, and a change has at least one text; without either the
    /// text is empty.
    func text(change: Change?) -> (description: String, language: String?) {
        if let description { return (description, language) }
        guard let best = change?.settings.text(for: language) else { return ("", language) }
        return (best.text, best.language)
    }
}

extension ChangeSettings {
    /// The text for a language: that very tag, else the text that shares the most leading subtags with it and at least
    /// the first, else the English one, else the first. Nil only where there is no text at all.
    package func text(for language: String?) -> LocalizedText? {
        let wanted = [language, "en"].compactMap { $0 }
        for tag in wanted {
            if let text = nearest(to: tag) { return text }
        }
        return descriptions.first
    }

    private func nearest(to tag: String) -> LocalizedText? {
        if let same = descriptions.first(where: { LanguageTag.areSame($0.language, tag) }) { return same }
        var best: (text: LocalizedText, shared: Int, extra: Int)?
        for candidate in descriptions {
            let shared = LanguageTag.sharedSubtags(candidate.language, tag)
            let extra = LanguageTag.subtagCount(candidate.language) - shared
            guard shared > 0 else { continue }
            if let held = best, (shared, -extra) <= (held.shared, -held.extra) { continue }
            best = (candidate, shared, extra)
        }
        return best?.text
    }
}
