import API
import Consent
import Synchronization

/// What is counted of decisions about access; any thread may record, nothing is locked.
final class AccessMetrics: Sendable {
    private static let phases = AccessDecision.Phase.allCases

    private let decisions = Labeled<5>(phases.map(\.rawValue))
    private let unsupported = Atomic<Int>(0)

    func record(_ tally: AccessTally) {
        for (place, phase) in Self.phases.enumerated() {
            if let count = tally.phases[phase] { decisions.add(place, count) }
        }
        unsupported.wrappingAdd(tally.unsupported, ordering: .relaxed)
    }

    func write(to text: inout Exposition) {
        text.family("assent_access_decisions_total", .counter, "Decisions about what a person may do, by phase.")
        for (phase, count) in decisions.reading { text.sample([("phase", phase)], count) }
        text.family(
            "assent_access_unsupported_total", .counter,
            "Those about people whose device is too old to know of duties.")
        text.sample([], unsupported.load(ordering: .relaxed))
    }
}
