/// Which of a change's texts somebody reads.
extension ChangeSettings {
    /// The best text for languages that somebody reads, the dearest first; nil only where there is no text at all.
    ///
    /// First what RFC 4647 §3.4 finds: each language in turn as it is, then shortened from its end, so `de-AT` takes the
    /// text in `de`. Where that finds nothing, the nearest text of the same language (`en-GB` for `en`), else English, else
    /// the first.
    package func text(for languages: [String]) -> LocalizedText? {
        if descriptions.count <= 1 { return descriptions.first }
        for language in languages {
            if let text = lookUp(language) { return text }
        }
        for language in languages + ["en"] {
            if let text = nearest(to: language) { return text }
        }
        return descriptions.first
    }

    private func lookUp(_ language: String) -> LocalizedText? {
        var range = Substring(language)
        while !range.isEmpty {
            if let text = descriptions.first(where: { LanguageTag.areSame($0.language, String(range)) }) { return text }
            range = LanguageTag.shortened(range)
        }
        return nil
    }

    /// The text that shares the most leading subtags and at least the first, and of those the most general.
    private func nearest(to tag: String) -> LocalizedText? {
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
