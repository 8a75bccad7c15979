import Consent

/// Takes steps with the product and the oracle side by side, and compares them after each: every sequence up to a
/// length, walked as a tree, or long ones at random.
struct ModelWalk {
    let steps: [Step]
    let length: Int
    let quorum: Int
    let topic: Topic

    /// Whether what the person may do is compared too.
    var decidesAccess = false

    /// Sequences walked, each once.
    private(set) var sequences = 0
    /// What differed, with the sequence that showed it; the first few.
    private(set) var failures: [String] = []
    private var path: [Step] = []

    init(steps: [Step] = Step.withoutLinking, length: Int, quorum: Int, topic: Topic) {
        self.steps = steps
        self.length = length
        self.quorum = quorum
        self.topic = topic
    }

    /// Product and oracle after the same steps.
    private struct Pair {
        var world: World
        var record: Record
        var linked = true
        var frozen = false
        var withdrawn = false
        var hasReturned = false
        var time = 0
    }

    private var start: Pair {
        Pair(world: World(quorum: quorum, topic: topic), record: Record(quorum: quorum, asked: 0))
    }

    /// Every sequence.
    mutating func run() {
        walk(from: start)
    }

    private mutating func walk(from pair: Pair) {
        guard path.count < length, failures.count < 5 else { return }
        for step in steps {
            var next = pair
            path.append(step)
            take(step, &next)
            walk(from: next)
            path.removeLast()
        }
    }

    /// One sequence of the full length, drawn at random.
    mutating func runOnce(using generator: inout some RandomNumberGenerator) {
        var pair = start
        path = []
        while path.count < length, failures.count < 5, let step = steps.randomElement(using: &generator) {
            path.append(step)
            take(step, &pair)
        }
    }

    private mutating func take(_ step: Step, _ pair: inout Pair) {
        let sweeps = pair.time >= pair.record.expiration
        pair.time = step == .deadline ? max(pair.time + 1, pair.record.expiration) : pair.time + 1
        sequences += 1
        let seen = pair.world.take(step, sweeps: sweeps, at: World.instant(pair.time))
        let expected = expect(step, of: &pair, sweeps: sweeps)
        if seen != expected { fail("\(seen) instead of \(expected)") }
        if pair.world.person.isRescinded != pair.frozen { fail("frozen: \(pair.world.person.isRescinded)") }
        if pair.frozen, pair.world.question.state == .approved { fail("approved while consent is taken back") }
        compare(pair.world, with: pair.record, time: pair.time)
        if decidesAccess { compareAccess(pair) }
    }

    /// Nobody is clear but by an approval that stands, or because the change concerns nobody any more.
    private mutating func compareAccess(_ pair: Pair) {
        let phase: AccessDecision.Phase =
            switch pair.record.state(at: pair.time) {
            case _ where pair.frozen: .blocked
            case _ where pair.withdrawn: .clear
            case .approved: .clear
            case .pending: .awaitingGuardian
            case .revoked where pair.hasReturned && pair.record.isRescinded(at: pair.time): .askGuardian
            case .denied, .revoked: .blocked
            case .expired, .cancelled: .askGuardian
            }
        let seen = pair.world.access(at: World.instant(pair.time))
        if seen.phase != phase { fail("\(seen.phase) instead of \(phase)") }
        if (seen.reason == .consentRescinded) != pair.frozen { fail("for the reason \(seen.reason as Any)") }
    }

    private func expect(_ step: Step, of pair: inout Pair, sweeps: Bool) -> Outcome {
        let time = pair.time
        switch step {
        case .approval1: return answer(1, approves: true, linked: pair.linked, &pair)
        case .denial1: return answer(1, approves: false, linked: pair.linked, &pair)
        case .approval2: return answer(2, approves: true, linked: true, &pair)
        case .denial2: return answer(2, approves: false, linked: true, &pair)
        case .cancel: return pair.record.cancel(at: time)
        case .deadline: return sweeps ? pair.record.sweep(at: time) : .nothing
        case .link1:
            pair.linked = true
            return .nothing
        case .unlink1:
            pair.linked = false
            return pair.record.unlink(1, at: time)
        case .rescind:
            if pair.frozen { return .nothing }
            pair.frozen = true
            return pair.record.rescind(at: time)
        case .reinstate:
            pair.frozen = false
            pair.hasReturned = true
            return .nothing
        case .withdraw:
            guard topic.kind == .significantAppUpdate else { return .nothing }
            if pair.withdrawn { return pair.record.withdraw(at: time) }
            pair.withdrawn = true
            return .nothing
        case .askAgain:
            if pair.frozen { return .refused(.rescinded) }
            if pair.withdrawn { return .refused(.withdrawn) }
            let links = pair.linked ? 2 : 1
            let outcome = pair.record.askAgain(reusable: topic.approvalStands, links: links, at: time)
            if case .asked = outcome { pair.record = Record(quorum: quorum, asked: time) }
            return outcome
        }
    }

    private func answer(_ guardian: Int, approves: Bool, linked: Bool, _ pair: inout Pair) -> Outcome {
        pair.record.answer(
            guardian, approves: approves, linked: linked, frozen: pair.frozen, withdrawn: pair.withdrawn, at: pair.time)
    }

    private mutating func compare(_ world: World, with record: Record, time: Int) {
        let now = World.instant(time)
        let question = world.question
        let reading = question.effective(at: now)
        let state = record.state(at: time)
        for fault in world.faults { fail(fault) }
        if reading.state != state { fail("\(reading.state) instead of \(state)") }
        if question.revision != record.revision { fail("revision \(question.revision), not \(record.revision)") }
        if question.revision != 1 + world.events { fail("\(world.events) events, revision \(question.revision)") }
        if question.everApproved != record.wasEverApproved { fail("ever approved: \(question.everApproved)") }
        if reading.state == .pending, now >= question.expiration { fail("pending past its expiration") }
        if reading.state == .denied, question.everApproved { fail("denied although approved before") }
        if reading.state == .revoked, !question.everApproved { fail("revoked although never approved") }
        if question.updatedAt > now { fail("changed later than now") }
        if reading.resolution != resolution(of: record, time: time) { fail("resolution \(reading.resolution as Any)") }
        compareAnswers(question, with: record)
        let isOver = time >= record.expiration || record.isRescinded(at: time)
        compareActions(question, state: state, past: isOver, now: now)
        // Until the sweep nothing changes an overdue question, so it is enough to look when it becomes one.
        if path.last == .deadline, question.isOverdue(at: now) { compareSweep(question, reading: reading, now: now) }
    }

    private mutating func compareAnswers(_ question: Question, with record: Record) {
        var counted = 0
        for answer in question.latestAnswers where answer.voidedAt == nil {
            counted += 1
            let expected = record.counted(answer.guardian == Samples.g1 ? 1 : 2)
            guard let (approves, at) = expected, answer.at == World.instant(at), approves == (answer.kind == .approval)
            else { return fail("counts \(answer)") }
        }
        let expected = (record.counted(1) == nil ? 0 : 1) + (record.counted(2) == nil ? 0 : 1)
        if counted != expected { fail("counts \(counted) answers instead of \(expected)") }
    }

    private func resolution(of record: Record, time: Int) -> Resolution? {
        guard let (fact, at) = record.resolution(at: time) else { return nil }
        switch fact {
        case .answer(let guardian, let approves):
            return Resolution(
                by: .guardian(World.guardians[guardian - 1]), at: World.instant(at),
                reason: "\(guardian) \(approves ? "approves" : "denies")")
        case .cancellation: return Resolution(by: .child, at: World.instant(at), reason: "changed my mind")
        case .sweep: return Resolution(by: .silence, at: World.instant(at), reason: nil)
        case .withdrawal: return Resolution(by: .withdrawal, at: World.instant(at), reason: "never mind")
        case .rescission: return Resolution(by: .rescission, at: World.instant(at), reason: "moved away")
        case .unlink, .voiding: return nil
        }
    }

    private mutating func compareActions(_ question: Question, state: QuestionState, past: Bool, now: Instant) {
        var expected: [AllowedAction] = []
        if !past, state == .pending || state == .denied || state == .revoked { expected.append(.approve) }
        if state == .pending || state == .approved { expected.append(.deny) }
        if state == .pending { expected.append(.cancel) }
        let seen = question.allowedActions(at: now)
        if seen != expected { fail("allows \(seen) instead of \(expected)") }
    }

    /// Sweeping shows what reading showed, and whoever comes after the sweep is told what they would have been told
    /// before it.
    private mutating func compareSweep(_ question: Question, reading: Question, now: Instant) {
        guard let swept = question.applying(.deadline, at: now).question else { return fail("overdue and not swept") }
        if swept.state != reading.state || swept.resolution != reading.resolution { fail("swept reads differently") }
        for request in World.requests.values {
            let input = QuestionInput.answer(request, mayAnswer: true)
            let before = question.applying(input, at: now)
            let after = swept.applying(input, at: now)
            if before != .refused(.questionExpired(reading)) || after != .refused(.questionExpired(swept)) {
                fail("an overdue question takes an answer")
            }
        }
        if swept.applying(.deadline, at: now) != .unchanged { fail("swept twice") }
    }

    private mutating func fail(_ what: String) {
        failures.append("quorum \(quorum), \(path.map(\.rawValue).joined(separator: " ")): \(what)")
    }
}
