/// Says that a change's description tells guardians nothing; advice for whoever registers it, never a refusal.
package struct DescriptionWarning: Sendable, Hashable {
    package enum Fault: Sendable, Hashable, CaseIterable {
        /// Only words that fit every release, such as "bug fixes and improvements", or a version.
        case saysNothing
        /// Only the change's id or a feature's name, or a part of it.
        case repeatsName
        case tooShort
    }

    /// The description's language tag, as it was registered.
    package let language: String
    package let fault: Fault

    package init(language: String, fault: Fault) {
        self.language = language
        self.fault = fault
    }
}

extension ChangeSettings {
    /// What is wrong with the descriptions of the change with this id (nil: it has none yet), at most one fault each, in
    /// their order.
    package func warnings(id: CallerID?) -> [DescriptionWarning] {
        let names = ([id?.text].compactMap { $0 } + (features ?? [])).map { Set(Words.of($0)) }
        return descriptions.compactMap { description in
            Self.fault(description.text, names: names).map {
                DescriptionWarning(language: description.language, fault: $0)
            }
        }
    }

    private static func fault(_ text: String, names: [Set<String>]) -> DescriptionWarning.Fault? {
        let words = Words.of(text)
        if words.allSatisfy(Words.fitEveryRelease.contains) { return .saysNothing }
        let telling = words.filter { !Words.fitEveryRelease.contains($0) }
        if names.contains(where: { $0.isSuperset(of: telling) }) { return .repeatsName }
        // In bytes: a script that says more with a letter needs more of them for one.
        return words.reduce(0) { $0 + $1.utf8.count } < shortest ? .tooShort : nil
    }

    /// Letters of a text, in bytes, below which it can hardly say what a guardian is asked about.
    private static let shortest = 12
}

/// A text's words, to compare what they say.
private enum Words {
    /// Runs of letters, in lower case; digits, blanks and punctuation only part them.
    static func of(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            // A combining mark belongs to its letter, an apostrophe to the word it stands in.
            if scalar.properties.isAlphabetic || scalar.properties.canonicalCombiningClass != .notReordered {
                word += scalar.properties.lowercaseMapping
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// Words that tell one change from another in no language that has them.
    static let fitEveryRelease: Set<String> = Set(
        of(
            """
            a an and another app application are better bug bugs change changed changes description enhanced enhancement
            enhancements feature features few fix fixed fixes fixing for general great have has improve improved
            improvement improvements improving in is it its made make makes maintenance many minor miscellaneous more new
            of on other our overall performance quality release several small some stability stuff test text the this
            things to tweaks under update updated updates us various version we with work works you your
            aktualisierung aktualisierungen allgemeine behebung behoben das der die diverse einige fehler
            fehlerbehebungen fehlerkorrekturen für in kleine kleinere leistung leistungsverbesserungen neue neues
            optimierungen stabilität stabilitätsverbesserungen und verbessert verbesserte verbesserungen verschiedene
            von änderung änderungen
            amélioration améliorations bogues bugs correction corrections de des diverses du et générales la le les
            mineures mise jour nouveautés nouvelle nouvelles performances stabilité à
            actualización correcciones corrección cambios el errores generales la las los mejora mejoras menores nuevas
            novedades rendimiento varias y
            aggiornamento correzioni di e miglioramenti prestazioni
            atualização correções desempenho e melhorias
            """))
}
