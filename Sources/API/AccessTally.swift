package import Consent

/// How many decisions about access came to what; free of whom they were about.
package struct AccessTally: Sendable, Equatable {
    package private(set) var phases: [AccessDecision.Phase: Int] = [:]
    /// Those about people whose device is too old to know of duties.
    package private(set) var unsupported = 0

    package init() {}

    package mutating func add(_ decision: AccessDecision) {
        phases[decision.phase, default: 0] += 1
        if decision.isUnsupported { unsupported += 1 }
    }
}
