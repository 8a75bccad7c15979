import Consent

/// A resource's name as one text: a letter, then its ids, separated by U+001F, which no id holds.
extension ResourceName {
    var stored: String {
        switch self {
        case .question(let id): Self.join("q", [id.text])
        case .answers(let person, let items):
            Self.join("m", [person.text] + items.map { $0.question.text + ($0.refusal ?? "") })
        case .askedAll(let person, let items): Self.join("o", [person.text] + items.map(\.stored))
        case .person(let id): Self.join("p", [id.text])
        case .link(let person, let guardian): Self.join("l", [person.text, guardian.text])
        case .acknowledgment(let person, let change): Self.join("k", [person.text, change.text])
        case .rescission(let person, .person): Self.join("r", [person.text])
        case .rescission(let person, .change(let change)): Self.join("r", [person.text, change.text])
        case .reinstatement(let person): Self.join("t", [person.text])
        case .change(let id): Self.join("c", [id.text])
        case .ageRating(let scope, let outcome, let previousCode, let change):
            Self.join(
                "r",
                [
                    scope.storefront.code, scope.environment.rawValue, outcome.rawValue,
                    previousCode.map { String($0) } ?? "", change?.text ?? "",
                ])
        case .notification(let id): Self.join("i", [id.text])
        case .account(let person, let account):
            Self.join("s", [person.text, account.store.rawValue, account.environment.rawValue, account.id.text])
        case .app: "a"
        case .key(let id): Self.join("y", [id.text])
        case .webhook(.endpoint(let id)): Self.join("w", [id.text])
        case .webhook(.delivery(let endpoint, let id)): Self.join("w", [endpoint.text, id.text])
        case .webhook(.replay(let feed, let after)): Self.join("w", ["replay", feed, String(after)])
        case .ticket(let end): Self.join("e", [String(end.microseconds)])
        case .nothing: "n"
        }
    }

    /// Whether an id stands in it.
    func names(_ id: CallerID) -> Bool {
        stored.utf8.split(separator: 0x1f).contains { $0.elementsEqual(id.text.utf8) }
    }

    /// Nil for what no version wrote.
    init?(stored: String) {
        let parts = stored.utf8.split(separator: 0x1f, omittingEmptySubsequences: false).map { String(Substring($0)) }
        let ids = parts.dropFirst().map { CallerID(trusted: $0) }
        switch (parts.first, ids.count) {
        case ("q", 1):
            guard let id = Identifier(ids[0].text) else { return nil }
            self = .question(id)
        case ("y", 1):
            guard let id = Identifier(ids[0].text) else { return nil }
            self = .key(id)
        case ("m", 1...):
            var items: [ItemName] = []
            for part in parts.dropFirst(2) {
                guard let id = Identifier(String(part.prefix(36))) else { return nil }
                let refusal = String(part.dropFirst(36))
                items.append(ItemName(question: id, refusal: refusal.isEmpty ? nil : refusal))
            }
            self = .answers(person: ids[0], items)
        case ("o", 1...):
            var items: [AskedName] = []
            for part in parts.dropFirst(2) {
                guard let item = AskedName(stored: part) else { return nil }
                items.append(item)
            }
            self = .askedAll(person: ids[0], items)
        case ("p", 1): self = .person(ids[0])
        case ("l", 2): self = .link(person: ids[0], guardian: ids[1])
        case ("k", 2): self = .acknowledgment(person: ids[0], change: ids[1])
        case ("r", 1): self = .rescission(person: ids[0], .person)
        case ("r", 2): self = .rescission(person: ids[0], .change(ids[1]))
        case ("t", 1): self = .reinstatement(person: ids[0])
        case ("c", 1): self = .change(ids[0])
        case ("r", 5):
            guard let environment = OriginalVersion.Environment(rawValue: ids[1].text),
                let outcome = AgeRatingOutcome(rawValue: ids[2].text)
            else { return nil }
            let scope = AgeRatingScope(storefront: Storefront(trusted: ids[0].text), environment: environment)
            self = .ageRating(
                scope, outcome, previousCode: Int(ids[3].text), change: ids[4].text.isEmpty ? nil : ids[4])
        case ("i", 1):
            guard let id = Identifier(ids[0].text) else { return nil }
            self = .notification(id)
        case ("s", 4):
            guard let store = StoreName(rawValue: ids[1].text),
                let environment = OriginalVersion.Environment(rawValue: ids[2].text)
            else { return nil }
            self = .account(person: ids[0], StoreAccount(store: store, environment: environment, id: ids[3]))
        case ("w", 1):
            guard let id = Identifier(ids[0].text) else { return nil }
            self = .webhook(.endpoint(id))
        case ("w", 2):
            guard let endpoint = Identifier(ids[0].text), let id = Identifier(ids[1].text) else { return nil }
            self = .webhook(.delivery(endpoint: endpoint, id))
        case ("w", 3):
            guard let after = Int64(ids[2].text) else { return nil }
            self = .webhook(.replay(feed: ids[1].text, after: after))
        case ("e", 1):
            guard let end = Int64(ids[0].text) else { return nil }
            self = .ticket(expiresAt: Instant(microseconds: end))
        case ("a", 0): self = .app
        case ("n", 0): self = .nothing
        default: return nil
        }
    }

    private static func join(_ kind: String, _ parts: [String]) -> String {
        parts.reduce(kind) { $0 + "\u{1f}" + $1 }
    }
}

/// What came of asking, the question's id if there is one, and the change, with colons between: of the three only a
/// change's id may hold one. Together they are one part, so that no change's id is taken for a person's.
extension ResourceName.AskedName {
    fileprivate var stored: String {
        let word =
            switch result {
            case .asked(let asked): asked.rawValue
            case .refused(let code): code
            }
        return word + ":" + (question?.text ?? "") + ":" + change.text
    }

    fileprivate init?(stored: String) {
        let parts = stored.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count == 3, !parts[0].isEmpty else { return nil }
        let question = Identifier(parts[1])
        if question == nil, !parts[1].isEmpty { return nil }
        self.init(
            change: CallerID(trusted: parts[2]),
            result: Outcome.Asked(rawValue: parts[0]).map { .asked($0) } ?? .refused(parts[0]), question: question)
    }
}
