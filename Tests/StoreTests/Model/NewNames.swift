import Consent
import Store
@testable import TestSupport

/// What an erased person's guardians are called since, found by holding what was told of the person against what the log
/// says now.
struct NewNames {
    private(set) var names: [CallerID: CallerID] = [:]

    /// - Parameters:
    ///   - told: what was told until the erasure, from the log's beginning.
    ///   - events: the log as it is after it.
    init(_ told: [Told], _ events: [EventRecord], of ref: Identifier) throws {
        for (told, event) in zip(told, events) where told.personRef == ref {
            guard let old = told.guardian else { continue }
            guard let new = Told(event).guardian, new.isMadeUp, names[old] ?? new == new else {
                throw LogReplay.Disagreement(description: "event \(event.seq) names \(old) otherwise than before")
            }
            names[old] = new
        }
        guard Set(names.values).count == names.count else {
            throw LogReplay.Disagreement(description: "two guardians of \(ref.text) became one")
        }
    }
}

extension Told {
    /// The guardian whom the event is about.
    fileprivate var guardian: CallerID? {
        switch data {
        case .linked(let guardian), .unlinked(let guardian, voided: _): guardian
        case .question(_, let answer): answer?.guardian
        default: nil
        }
    }
}

extension CallerID {
    /// Whether it is a name that an erasure gives: it tells nothing of the one before.
    fileprivate var isMadeUp: Bool {
        text.hasPrefix("erased-") && text.utf8.count == 7 + 16
            && text.utf8.dropFirst(7).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
