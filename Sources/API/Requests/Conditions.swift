import HTTPServer
import Store

/// The conditions that a request's headers make.
enum Conditions {
    /// What a PUT demands of the resource it replaces.
    ///
    /// - Parameter inAnyLanguage: whether its tags name a language after the revision; any will do, for a PUT replaces
    ///   the resource in all of them.
    static func precondition(_ headers: Headers, inAnyLanguage: Bool = false) throws(Problem) -> Precondition {
        let ifMatch = try list("If-Match", headers)
        let ifNoneMatch = try list("If-None-Match", headers)
        switch (ifMatch, ifNoneMatch) {
        case (nil, nil): return .none
        case (.any, nil): return .exists
        case (.tags(let tags), nil):
            // Compared strongly: a weak tag, and one that is none of ours, matches nothing.
            return .revisions(
                tags.compactMap {
                    guard !$0.isWeak else { return nil }
                    return revision(inAnyLanguage ? $0.opaque.prefix { $0 != UInt8(ascii: "-") } : $0.opaque)
                })
        case (nil, .any): return .absent
        // It must exist and must not: nothing passes (RFC 9110 §13.2.2).
        case (.some, .any): return .revisions([])
        case (_, .tags):
            throw .header("If-None-Match", "A PUT takes only *, which creates and never replaces.")
        }
    }

    /// Refuses conditions on a request that would not honour them: whoever sends one relies on it.
    static func refuse(_ headers: Headers) throws(Problem) {
        for name in ["If-Match", "If-None-Match"] where headers.bytes(of: name) != nil {
            throw .header(name, "Only a PUT of an app, a person, a change or a webhook endpoint takes this condition.")
        }
    }

    /// Whether the caller of a GET has this representation already.
    static func isCurrent(_ tag: String, _ headers: Headers) throws(Problem) -> Bool {
        try list("If-None-Match", headers)?.contains(tag) ?? false
    }

    private static func list(_ name: String, _ headers: Headers) throws(Problem) -> EntityTagList? {
        guard let field = headers.bytes(of: name) else { return nil }
        guard headers.occurrences(of: name) == 1, let list = EntityTagList(field) else {
            throw .header(name, "The header must be * or a list of entity tags, each in double quotes.")
        }
        return list
    }

    /// A revision as a tag holds it, without leading zeros.
    private static func revision(_ digits: ArraySlice<UInt8>) -> Int? {
        StrictInteger.parse(digits)
    }
}
