import Consent

/// The oracle: the paper file of one question, and the page on states read off it from the beginning each time.
///
/// Nothing here is carried from one step to the next but what was said and when. Whether a question is approved, was
/// ever approved, or which approvals an unlink voided is worked out anew from the whole file whenever it is asked.
/// Guardians are 1 and 2, times are seconds.
struct Record {
    enum Fact: Equatable {
        case answer(guardian: Int, approves: Bool)
        case unlink(guardian: Int)
        case cancellation
        case sweep
        /// Consent was taken back while the question waited or was approved.
        case rescission
        /// Consent was taken back while the question was refused: approvals on it are void.
        case voiding
        /// What waited about a withdrawn change was cancelled.
        case withdrawal
    }

    struct Entry {
        let fact: Fact
        let at: Int
    }

    let quorum: Int
    let asked: Int
    let expiration: Int
    private(set) var entries: [Entry] = []

    init(quorum: Int, asked: Int) {
        self.quorum = quorum
        self.asked = asked
        self.expiration = asked + Record.life
    }

    static let life = 100
    static let askAgainDelay = 2

    // MARK: What the file says

    /// The place of a guardian's latest answer among the first entries, unless an unlink since voided it: "unlinking a
    /// guardian voids their approvals on pending questions only".
    private func latest(_ guardian: Int, of count: Int) -> Int? {
        var place = count - 1
        var unlinked: [Int] = []
        var isVoid = false
        while place >= 0 {
            switch entries[place].fact {
            case .answer(guardian: guardian, approves: let approves):
                if approves, isVoid { return nil }
                for unlink in unlinked where approves && state(of: unlink, at: entries[unlink].at) == .pending {
                    return nil
                }
                return place
            case .unlink(guardian: guardian): unlinked.append(place)
            case .voiding: isVoid = true
            case .answer, .unlink, .cancellation, .sweep, .rescission, .withdrawal: break
            }
            place -= 1
        }
        return nil
    }

    /// How many of the guardians' latest answers say what.
    private func tally(of count: Int) -> (approvals: Int, denials: Int) {
        var tally = (approvals: 0, denials: 0)
        for place in [latest(1, of: count), latest(2, of: count)] {
            guard let place, case .answer(_, let approves) = entries[place].fact else { continue }
            if approves { tally.approvals += 1 } else { tally.denials += 1 }
        }
        return tally
    }

    private func wasAgreed(of count: Int) -> Bool {
        var length = 1
        while length <= count {
            let (approvals, denials) = tally(of: length)
            if denials == 0, approvals >= quorum { return true }
            length += 1
        }
        return false
    }

    /// How the question reads at a time, by its first entries: "any denial: denied, or revoked if it was ever approved;
    /// else at least quorum approvals: approved; else pending. At expiration pending becomes expired."
    private func state(of count: Int, at time: Int) -> QuestionState {
        for entry in entries[..<count] where entry.fact == .cancellation || entry.fact == .withdrawal {
            return .cancelled
        }
        for (place, entry) in entries[..<count].enumerated() where entry.fact == .rescission {
            return state(of: place, at: entry.at) == .approved ? .revoked : .cancelled
        }
        let (approvals, denials) = tally(of: count)
        if denials > 0 { return wasAgreed(of: count) ? .revoked : .denied }
        if approvals >= quorum { return .approved }
        return time >= expiration ? .expired : .pending
    }

    func state(at time: Int) -> QuestionState { state(of: entries.count, at: time) }

    var wasEverApproved: Bool { wasAgreed(of: entries.count) }

    /// 1, and one more for each entry but those that only take approvals out of the count.
    var revision: Int {
        1 + entries.count { if case .unlink = $0.fact { false } else { $0.fact != .voiding } }
    }

    /// Whether a rescission took the approval back, so that no answer counts any more.
    func isRescinded(at time: Int) -> Bool { state(at: time) == .revoked && resolution(at: time)?.by == .rescission }

    /// Kind and time of a guardian's answer that counts.
    func counted(_ guardian: Int) -> (approves: Bool, at: Int)? {
        guard let place = latest(guardian, of: entries.count), case .answer(_, let approves) = entries[place].fact
        else { return nil }
        return (approves, entries[place].at)
    }

    /// Who settled the question and when: the entry at which it came to the state it has.
    func resolution(at time: Int) -> (by: Fact, at: Int)? {
        let state = state(at: time)
        if state == .pending { return nil }
        if state == .expired { return (.sweep, expiration) }
        var count = entries.count
        while count > 0, self.state(of: count - 1, at: entries[count - 1].at) == state { count -= 1 }
        return count > 0 ? (entries[count - 1].fact, entries[count - 1].at) : nil
    }

    // MARK: What the page on states lets happen

    mutating func answer(
        _ guardian: Int, approves: Bool, linked: Bool, frozen: Bool, withdrawn: Bool, at time: Int
    ) -> Outcome {
        let old = state(at: time)
        if !linked { return .refused(.notLinked) }
        if old == .cancelled { return .refused(.cancelled) }
        if old == .expired { return .refused(.expired) }
        if isRescinded(at: time) || frozen && approves { return .refused(.rescinded) }
        if counted(guardian)?.approves == approves { return .nothing }
        let takesBack = old == .approved && !approves
        if withdrawn, !takesBack, time < expiration { return .refused(.withdrawn) }
        if time >= expiration, approves || old != .approved { return .refused(.expired) }
        entries.append(Entry(fact: .answer(guardian: guardian, approves: approves), at: time))
        let new = state(at: time)
        if new == old { return .changed(.questionAnswered) }
        return EventType(rawValue: "question.\(new.rawValue)").map { .changed($0) } ?? .refused(.strange)
    }

    mutating func cancel(at time: Int) -> Outcome {
        let old = state(at: time)
        if old == .cancelled { return .nothing }
        if old == .expired { return .refused(.expired) }
        if old != .pending { return .refused(.decided) }
        entries.append(Entry(fact: .cancellation, at: time))
        return .changed(.questionCancelled)
    }

    mutating func sweep(at time: Int) -> Outcome {
        if state(at: time) != .expired || entries.contains(where: { $0.fact == .sweep }) { return .nothing }
        entries.append(Entry(fact: .sweep, at: time))
        return .changed(.questionExpired)
    }

    /// The change was withdrawn: only what waits is cancelled.
    mutating func withdraw(at time: Int) -> Outcome {
        if state(at: time) != .pending { return .nothing }
        entries.append(Entry(fact: .withdrawal, at: time))
        return .changed(.questionCancelled)
    }

    mutating func unlink(_ guardian: Int, at time: Int) -> Outcome {
        let counted = counted(guardian)
        entries.append(Entry(fact: .unlink(guardian: guardian), at: time))
        return counted?.approves == true && self.counted(guardian) == nil ? .voided : .nothing
    }

    /// Consent is taken back: what waits is cancelled, what is approved is revoked for good, and on what is refused no
    /// approval from before counts.
    mutating func rescind(at time: Int) -> Outcome {
        switch state(at: time) {
        case .pending, .approved:
            entries.append(Entry(fact: .rescission, at: time))
            return .changed(state(at: time) == .revoked ? .questionRevoked : .questionCancelled)
        case .denied, .revoked:
            if time >= expiration || isRescinded(at: time) { return .nothing }
            let before = tally(of: entries.count).approvals
            entries.append(Entry(fact: .voiding, at: time))
            return before > 0 ? .voided : .nothing
        case .expired, .cancelled: return .nothing
        }
    }

    /// What asking the same again gives, with so many linked guardians; a new question starts a new file.
    func askAgain(reusable: Bool, links: Int, at time: Int) -> Outcome {
        let old = state(at: time)
        if old == .pending || old == .approved && reusable { return .existing }
        if old == .denied || old == .revoked, let settled = resolution(at: time), settled.by != .rescission,
            time < settled.at + Record.askAgainDelay
        {
            return .refused(.deniedRecently)
        }
        if links < quorum { return .refused(.quorumUnreachable) }
        if old == .denied || old == .revoked { return .asked(before: [.questionSuperseded]) }
        let swept = entries.contains { $0.fact == .sweep }
        return .asked(before: old == .expired && !swept ? [.questionExpired] : [])
    }
}
