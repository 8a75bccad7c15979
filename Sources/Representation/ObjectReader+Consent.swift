import Consent
import JSON

/// Members that several bodies have, each with the domain's limits.
extension ObjectReader {
    /// A person, a guardian, a change, a product, a subject.
    func callerID(_ name: StaticString, _ presence: Presence = .required) -> CallerID? {
        value(name, presence)?.callerID()
    }

    /// Why somebody did something, for people: at most 500 bytes.
    func reason() -> String? {
        string("reason", .optional, bytes: 0...500)
    }

    /// How the caller made sure that a guardian is one.
    func verification() -> Verification? {
        object("verification", .optional) { verification in
            let method = verification.name("method", bytes: 1...64)
            let reference = verification.string("reference", .optional, bytes: 1...128)
            return method.map { Verification(method: $0, reference: reference) }
        }
    }

    /// A short text for people or machines on one line.
    func name(_ name: StaticString, _ presence: Presence = .required, bytes: ClosedRange<Int>) -> String? {
        string(name, presence, bytes: bytes, rule: Line.complaint)
    }

    /// Whether an optional member says nothing.
    func isMissing(_ name: StaticString) -> Bool {
        switch kind(name) {
        case nil, .null: true
        default: false
        }
    }
}

extension ValueReader {
    func callerID() -> CallerID? {
        string(mustBe: "must be a string of 1 to 128 bytes without control characters") { CallerID($0) }
    }

    /// The name of a feature that a change covers or a device reports.
    func featureName() -> String? {
        string(mustBe: "must be a string of 1 to 64 bytes without control characters") {
            FeatureName.isValid($0) ? $0 : nil
        }
    }
}

/// What `OneLine` of the domain demands, as a rule of the reader's.
enum Line {
    static func complaint(_ text: String) -> String? {
        OneLine.isValid(text, bytes: 0...Int.max) ? nil : "must not contain control characters"
    }
}
