import Consent
import JSON
import Store
import Testing

@testable import TestSupport

/// One person's requests in order, put to the model one by one: it must come to every reply and every event.
///
/// The API tells moments in milliseconds, and so does this model's clock, except where a question is made: its id tells the
/// microsecond. What expires soon here expires at a whole millisecond.
struct HistoryWalk {
    struct Step: Sendable {
        let command: Command
        let sent: Instant
        let received: Instant
        let reply: HTTPClient.Reply
    }

    private(set) var model: Model
    let person: CallerID
    private var log: ArraySlice<JSON>

    /// - Parameter log: the person's own events, oldest first.
    init(_ model: Model, _ person: CallerID, _ log: [JSON]) {
        self.model = model
        self.person = person
        self.log = log[...]
    }

    /// Follows the steps to their end; throws at the first that the model does not come to.
    mutating func follow(_ steps: [Step]) throws {
        for (number, step) in steps.enumerated() {
            guard take(step) else {
                throw TestFailure(
                    "step \(number) of \(person): \(step.command) → \(step.reply.status) \(step.reply.text), "
                        + "events \(log.prefix(1)); the model: \(lookAgain(step))")
            }
        }
        guard log.isEmpty else { throw TestFailure("\(person): more events than the model has: \(log)") }
    }

    /// Tries the moments at which the step may have been decided: that of the next event, else when it was sent or answered.
    private mutating func take(_ step: Step) -> Bool {
        for now in moments(step) {
            var next = model
            let (expected, told) = Self.run(step, &next, chosen(step, now))
            guard expected.matches(step.reply), told.count <= log.count,
                zip(told, log).allSatisfy({ $0.matches($1, person, next) })
            else { continue }
            model = next
            log = log.dropFirst(told.count)
            return true
        }
        return false
    }

    private func moments(_ step: Step) -> [Instant] {
        let sent = step.sent.wholeMilliseconds
        let received = step.received.wholeMilliseconds
        if step.reply.status == 201, let id = step.reply.json.id.identifier { return [id.createdAt] }
        if let id = step.reply.askedAnew.values.first { return [id.createdAt] }
        let written = log.first.flatMap { $0.timestamp.moment }
        return (written.map { [$0] } ?? []).filter { sent <= $0 && $0 <= received } + [sent, received]
    }

    private func lookAgain(_ step: Step) -> String {
        moments(step).map { now in
            var copy = model
            return "\(Self.run(step, &copy, chosen(step, now)))"
        }.joined(separator: " or ")
    }

    private func chosen(_ step: Step, _ now: Instant) -> Model.Chosen {
        var chosen = Model.Chosen(now: now)
        if let event = log.first, event.type == "person.updated", let ref = event.personRef.identifier,
            let createdAt = event.data.createdAt.moment
        {
            chosen.personRef = ref
            chosen.personCreatedAt = createdAt
        }
        if step.reply.status == 201, let id = step.reply.json.id.identifier { chosen.question = id }
        chosen.questions = step.reply.askedAnew
        return chosen
    }

    private static func run(_ step: Step, _ model: inout Model, _ chosen: Model.Chosen) -> (ExpectedReply, [Told]) {
        // The API has no command that expires: in its place the question is looked at.
        if case .expire(let id) = step.command {
            guard let question = model.questions[id] else { return (ExpectedReply(404, "question-not-found"), []) }
            return (ExpectedReply(200, JSON(question, model, at: chosen.now)), [])
        }
        let (reply, told) = model.run(step.command, key: nil, chosen)
        return (ExpectedReply(reply, model), told)
    }
}

extension Told {
    fileprivate func matches(_ event: JSON, _ person: CallerID, _ model: Model) -> Bool {
        guard event.type == .string(type.rawValue), event.timestamp == JSON(at),
            event.personRef.identifier == personRef, event.revision.int == revision
        else { return false }
        guard case .question(let question, let answer) = data else { return true }
        return event.data.isSame(as: JSON(question, model, at: at))
            && event.answer.guardian.string == answer?.guardian.text
    }
}

extension HTTPClient.Reply {
    /// The new ones among the questions that asking for everything came to, by their changes.
    fileprivate var askedAnew: [CallerID: Identifier] {
        var asked: [CallerID: Identifier] = [:]
        for item in json.data.array where item.status.int == 201 {
            if let change = item.change.string { asked[CallerID(trusted: change)] = item.question.id.identifier }
        }
        return asked
    }
}

extension Identifier {
    /// The moment a question's id was made at.
    fileprivate var createdAt: Instant {
        Instant(microseconds: Int64(high >> 16) * 1_000 + Int64(high & 0xfff))
    }
}

extension Instant {
    var wholeMilliseconds: Instant { Instant(microseconds: microseconds / 1_000 * 1_000) }
}

extension JSON {
    var identifier: Identifier? { string.flatMap { Identifier($0) } }
    var moment: Instant? { string.flatMap { RFC3339.parse($0) }.map { Instant(microseconds: $0) } }

    /// Equal by bytes too: `==` takes two ways to compose an accent for one.
    func isSame(as other: JSON) -> Bool {
        self == other && description.utf8.elementsEqual(other.description.utf8)
    }
}
