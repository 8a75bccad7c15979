package import Consent
import JSON

extension ChangeSettings {
    /// Reads the body of `PUT /v1/changes/{change}`.
    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let kind = body.enumeration("kind", .optional, of: ChangeSettings.Kind.self) ?? .significantUpdate
            let introduced = body.introduction(of: kind)
            let features = body.array("features", .optional, count: 1...100) { $0.featureName() }
            var tags: [String] = []
            let descriptions = body.entries("descriptions", count: 1...100) { tag, text in
                text.description(tag: tag, seen: &tags)
            }
            let effectiveFrom = body.timestamp("effectiveFrom", .optional).map(Instant.init(microseconds:))
            guard let introduced, let descriptions else { return nil }
            return ChangeSettings(
                kind: kind, version: introduced.version, build: introduced.build,
                features: features.map(Names.sortedSet),
                descriptions: descriptions.sorted { $0.language.utf8.lexicographicallyPrecedes($1.language.utf8) },
                effectiveFrom: effectiveFrom)
        }
    }
}

extension ObjectReader {
    /// The version that brought a change, the build, or both; neither for an age rating, which no version brought.
    fileprivate func introduction(of kind: ChangeSettings.Kind) -> (version: String?, build: String?)? {
        let isUpdate = kind == .significantUpdate
        if !isUpdate, isMissing("introducedIn") {
            ignore("introducedIn")
            return (nil, nil)
        }
        return object("introducedIn") { introduced in
            let version = introduced.name("version", .optional, bytes: 1...64)
            let build = introduced.name("build", .optional, bytes: 1...64)
            let isEmpty = introduced.isMissing("version") && introduced.isMissing("build")
            if isUpdate, isEmpty { introduced.refuse("must name a version, a build or both") }
            if !isUpdate, !isEmpty { introduced.refuse("must name neither a version nor a build for an age rating") }
            return (version: version, build: build)
        }
    }
}

extension ValueReader {
    fileprivate func description(tag: String, seen tags: inout [String]) -> LocalizedText? {
        if !LanguageTag.isValid(tag) {
            refuse("must be named by a BCP 47 language tag of at most \(LanguageTag.longest) bytes")
        }
        if tags.contains(where: { LanguageTag.areSame($0, tag) }) {
            refuse("must not repeat a language: tags differ by more than the case of their letters")
        }
        tags.append(tag)
        return string(bytes: 1...1_000).map { LocalizedText(language: tag, text: $0) }
    }
}
