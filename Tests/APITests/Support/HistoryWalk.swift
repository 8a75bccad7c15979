import Consent
import JSON
import Store

@testable import TestSupport

/// One person's requests in order, or those about the app alone, put to the model one by one: it must come to every reply
/// and every event.
///
/// The API tells moments in milliseconds, and so does this model's clock, except where a question is made: its id tells the
/// microsecond. What expires soon here expires at a whole millisecond.
struct HistoryWalk {
    struct Step: Sendable {
        enum Action: Sendable {
            case command(Command)
            /// What the person may do is read.
            case access(CallerID)
            /// A question is looked at.
            case look(Identifier)
        }

        enum Answer: Sendable {
            case api(HTTPClient.Reply)
            /// To a command that only workers give.
            case worker(Reply)
        }

        let action: Action
        let sent: Instant
        let received: Instant
        let answer: Answer

        fileprivate var reply: HTTPClient.Reply? { if case .api(let reply) = answer { reply } else { nil } }
    }

    private(set) var model: Model
    /// Whose steps these are; nil: the app's.
    let person: CallerID?
    private(set) var log: ArraySlice<JSON>

    /// - Parameter log: the person's own events, oldest first, or those about nobody.
    init(_ model: Model, _ person: CallerID?, _ log: ArraySlice<JSON>) {
        self.model = model
        self.person = person
        self.log = log
    }

    /// Follows the steps to their end; throws at the first that the model does not come to.
    mutating func follow(_ steps: [Step]) throws {
        for (number, step) in steps.enumerated() {
            guard take(step) else {
                throw TestFailure(
                    "step \(number) of \(person?.text ?? "the app"): \(step.action) → \(step.answer.text), "
                        + "events \(log.prefix(2)); the model: \(lookAgain(step))")
            }
        }
    }

    /// Tries the moments at which the step may have been decided: that of the next event, else when it was sent or answered or
    /// when something came to its time in between.
    private mutating func take(_ step: Step) -> Bool {
        for now in moments(step) {
            var next = model
            let (fits, told) = Self.run(step, &next, chosen(step, now))
            guard fits, told.count <= log.count, matches(told, step, next) else { continue }
            model = next
            log = log.dropFirst(told.count)
            return true
        }
        return false
    }

    private func matches(_ told: [Told], _ step: Step, _ model: Model) -> Bool {
        var names: [CallerID: CallerID] = [:]
        for (told, event) in zip(told, log) {
            var told = told
            // What an erasure tells has no names in it from the beginning.
            if case .command(.erase) = step.action {
                for (counted, shown) in zip(told.evidence?.answers ?? [], event.evidence.answers.array) {
                    guard let name = shown.guardian.string, name.hasPrefix("erased-") else { return false }
                    let new = CallerID(trusted: name)
                    guard names.updateValue(new, forKey: counted.guardian) ?? new == new else { return false }
                }
                told = told.erased(names)
            }
            guard ExpectedEvent(told, model).matches(event) else { return false }
        }
        return Set(names.values).count == names.count
    }

    private func moments(_ step: Step) -> [Instant] {
        let sent = step.sent.wholeMilliseconds
        let received = step.received.wholeMilliseconds
        if let reply = step.reply, reply.status == 201, let id = reply.json.id.identifier { return [id.createdAt] }
        if let id = step.reply?.askedAnew.values.first { return [id.createdAt] }
        let written = [log.first?.timestamp.moment, step.reply?.json.baseline.lastObservedAt.moment].compactMap { $0 }
        let ends = model.questions.values.map(\.expiration)
        let due = (ends + ends.map { $0.adding(seconds: -Int64(model.policy.reminderSeconds)) }).sorted()
        return written.filter { sent <= $0 && $0 <= received } + [sent]
            + due.filter { sent < $0 && $0 < received } + [received]
    }

    private func lookAgain(_ step: Step) -> String {
        moments(step).map { now in
            var copy = model
            let told: [Told]
            if case .command(let command) = step.action {
                let (reply, events) = copy.run(command, key: nil, chosen(step, now))
                told = events
                return "\(reply) \(told)"
            }
            return "\(model.access(person ?? "", at: now).map { "\($0)" } ?? "nobody")"
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
        if let reply = step.reply, reply.status == 201, let id = reply.json.id.identifier { chosen.question = id }
        chosen.questions = step.reply?.askedAnew ?? [:]
        return chosen
    }

    /// Whether the model answers so, and what it tells.
    private static func run(_ step: Step, _ model: inout Model, _ chosen: Model.Chosen) -> (Bool, [Told]) {
        switch (step.action, step.answer) {
        case (.command(let command), .api(let reply)):
            let (expected, told) = model.run(command, key: nil, chosen)
            return (ExpectedReply(expected, model).matches(reply), told)
        case (.command(let command), .worker(let reply)):
            let (expected, told) = model.run(command, key: nil, chosen)
            return (expected.gist == reply.gist, told)
        case (.access(let person), .api(let reply)):
            let expected =
                model.access(person, at: chosen.now).map { ExpectedReply(200, JSON($0)) }
                ?? ExpectedReply(404, "person-not-found")
            return (expected.matches(reply), [])
        case (.look(let id), .api(let reply)):
            guard var question = model.questions[id] else {
                return (ExpectedReply(404, "question-not-found").matches(reply), [])
            }
            if model.personID(question.personRef) == nil, case .guardian(let old) = question.resolution?.by,
                let new = reply.json.resolution.guardian.string, new.hasPrefix("erased-")
            {
                question = question.erased([old: CallerID(trusted: new)])
            }
            return (ExpectedReply(200, JSON(question, model, at: chosen.now)).matches(reply), [])
        case (.access, .worker), (.look, .worker): return (false, [])
        }
    }
}

extension HistoryWalk.Step.Answer {
    fileprivate var text: String {
        switch self {
        case .api(let reply): "\(reply.status) \(reply.text)"
        case .worker(let reply): reply.gist
        }
    }
}

extension Reply {
    /// What a worker is told, without moments: those of the store are finer than the model's here.
    fileprivate var gist: String {
        switch self {
        case .done(.question(let record)):
            "\(record.question.id) \(record.question.revision) \(record.question.state)"
        case .done(let outcome): "\(outcome)"
        case .refused(let refusal, person: _, at: _): refusal.code
        case .replayed: "replayed"
        }
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
