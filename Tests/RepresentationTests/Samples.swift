import Consent
import JSON

@testable import Representation

/// Values that many tests share.
enum Samples {
    static let app = AppID(trusted: "reader")
    static let person = CallerID(trusted: "p-1")
    static let guardian = CallerID(trusted: "g-1")
    static let id = Identifier(high: 0x0193_0000_0000_7001, low: 0x8000_0000_0000_0002)
    static let ref = Identifier(high: 0xaaaa_bbbb_cccc_4ddd, low: 0x8eee_ffff_0000_1111)
    /// 2026-11-28T00:00:00.123Z.
    static let created = Instant(microseconds: 1_795_824_000_123_456)
    /// 2026-12-05T00:00:00.000Z.
    static let expiration = Instant(microseconds: 1_796_428_800_000_000)

    static func question(_ topic: Topic = .significantAppUpdate(change: CallerID(trusted: "video-calls"))) -> Question {
        Question(
            id: id, personRef: ref, topic: topic, description: "Adds video calling.", language: "en", quorum: 1,
            expiration: expiration, createdAt: created)
    }

    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    static func text(_ question: Question, at now: Instant = created, existing: Bool = false) -> String {
        text { $0.question(question, app: app, person: person, at: now, existing: existing) }
    }
}
