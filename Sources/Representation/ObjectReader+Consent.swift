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
        string(name, presence, bytes: bytes, rule: OneLine.complaint)
    }
}

extension ValueReader {
    func callerID() -> CallerID? {
        string(mustBe: "must be a string of 1 to 128 bytes without control characters") { CallerID($0) }
    }
}

/// Texts that must stay on one line, wherever they are shown or logged.
enum OneLine {
    static func complaint(_ text: String) -> String? {
        let isClean = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        return isClean ? nil : "must not contain control characters"
    }
}
