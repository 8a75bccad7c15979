package import Consent
import JSON

/// The body of `POST /v1/stream-tickets`: what of the log the stream is to bring.
package struct PostedStreamTicket: Sendable, Equatable {
    /// At most one of the two is there.
    package let person: CallerID?
    package let question: Identifier?
    /// Nil: every type.
    package let types: Set<EventType>?

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let filter = body.object("filter", .optional) { filter in
                let person = filter.callerID("person", .optional)
                let question = filter.string("question", .optional, mustBe: "must be a question's id") {
                    Identifier($0)
                }
                if person != nil, !filter.isMissing("question") {
                    filter.refuse("question", "cannot be given beside a person")
                }
                let types = filter.array("types", .optional, count: 1...100) { $0.eventTypes() }
                return PostedStreamTicket(
                    person: person, question: question, types: types.map { $0.reduce(into: []) { $0.formUnion($1) } })
            }
            return filter ?? PostedStreamTicket(person: nil, question: nil, types: nil)
        }
    }

    private init(person: CallerID?, question: Identifier?, types: Set<EventType>?) {
        self.person = person
        self.question = question
        self.types = types
    }
}

extension ValueReader {
    /// A name that stands for one type of event or, with `.*` at its end, for a family of them.
    func eventTypes() -> Set<EventType>? {
        string(mustBe: "must name types of events, such as question.approved or question.*") { name in
            let types = EventType.named(name.utf8)
            return types.isEmpty ? nil : types
        }
    }
}
