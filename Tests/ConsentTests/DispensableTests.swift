import Consent
import Testing

/// Which questions may go: none that anything is decided on.
@Suite struct DispensableTests {
    private static let day: Int64 = 86_400
    private static let topics: [Topic] = [
        .significantAppUpdate(change: Samples.changeID), .communication(handles: [Samples.g3]),
        .purchase(product: Samples.changeID), .custom(subject: Samples.changeID, reusable: true),
        .custom(subject: Samples.changeID, reusable: false),
    ]
    /// Long after everything, and before that.
    private let now = Samples.week.adding(seconds: 1_000 * day)

    private func question(_ topic: Topic, _ state: QuestionState, superseded: Bool, at moment: Instant) -> Question {
        var question = Samples.question(topic: topic, expiration: moment.adding(seconds: 60), createdAt: moment)
        question.state = state
        question.everApproved = state == .approved || state == .revoked
        if state != .pending {
            question.resolution = Resolution(by: .guardian(Samples.g1), at: moment, reason: nil)
        }
        if superseded { question.supersededBy = Samples.ref }
        return question
    }

    private struct Case {
        let question: Question
        let around: Question.Surroundings
    }

    /// Every topic, state and surrounding, of one age.
    private func cases(daysAgo days: Int64) -> [Case] {
        let moment = now.adding(seconds: -days * Self.day)
        var cases: [Case] = []
        for topic in Self.topics {
            for state in QuestionState.allCases {
                for bits in 0..<16 {
                    let isRefused = state == .denied || state == .revoked
                    let superseded = bits & 1 != 0 && isRefused
                    let withdrawn = bits & 8 != 0 && topic.kind == .significantAppUpdate
                    let around = Question.Surroundings(
                        followsAnother: bits & 2 != 0, isFollowed: bits & 4 != 0 || superseded,
                        changeWithdrawnAt: withdrawn ? moment : nil)
                    cases.append(
                        Case(question: question(topic, state, superseded: superseded, at: moment), around: around))
                }
            }
        }
        return cases
    }

    private func goes(_ one: Case, kept days: Int64) -> Bool {
        one.question.isDispensable(one.around, keptSeconds: Int(days * Self.day), at: now)
    }

    @Test func whatWaitsOrIsYoungStays() {
        for one in cases(daysAgo: 500) where one.question.state == .pending { #expect(!goes(one, kept: 1)) }
        for one in cases(daysAgo: 29) { #expect(!goes(one, kept: 30)) }
        // Answered or superseded lately, or still to be answered.
        for one in cases(daysAgo: 31) {
            var changed = one.question
            changed.updatedAt = now.adding(seconds: -29 * Self.day)
            #expect(!changed.isDispensable(one.around, keptSeconds: Int(30 * Self.day), at: now))
            let long = Question(
                id: one.question.id, personRef: one.question.personRef, topic: one.question.topic, description: "",
                language: nil, quorum: 1, expiration: now.adding(seconds: -29 * Self.day),
                createdAt: one.question.createdAt, state: one.question.state, resolution: one.question.resolution)
            #expect(!long.isDispensable(one.around, keptSeconds: Int(30 * Self.day), at: now))
        }
    }

    @Test func consentStays() {
        for days: Int64 in [31, 366, 900] {
            for one in cases(daysAgo: days) where one.question.state == .approved && one.question.topic.approvalStands {
                #expect(goes(one, kept: 30) == (isOfWithdrawn(one) && isAlone(one)))
            }
        }
    }

    private func isOfWithdrawn(_ one: Case) -> Bool { one.around.changeWithdrawnAt != nil }
    private func isAlone(_ one: Case) -> Bool { !one.around.followsAnother && !one.around.isFollowed }

    @Test func theNewestAboutAChangeInEffectStays() {
        for one in cases(daysAgo: 900) where one.question.topic.kind == .significantAppUpdate {
            let isNewest = !one.around.isFollowed
            if isNewest, !isOfWithdrawn(one) { #expect(!goes(one, kept: 1)) }
            #expect(one.question.isCounted(one.around) == isNewest)
        }
        // Withdrawn a moment ago, whoever decided meanwhile may still hold that it is in effect.
        let approved = question(Self.topics[0], .approved, superseded: false, at: now.adding(seconds: -900 * Self.day))
        let justWithdrawn = Question.Surroundings(followsAnother: false, isFollowed: false, changeWithdrawnAt: now)
        #expect(!approved.isDispensable(justWithdrawn, keptSeconds: 30, at: now))
        for one in cases(daysAgo: 900) where one.question.topic.kind != .significantAppUpdate {
            #expect(!one.question.isCounted(one.around))
        }
    }

    /// Asking anew comes to the same with the question and without it, whatever the policy.
    @Test func askingIsDecidedTheSameWithout() {
        var gone = 0
        for days: Int64 in [31, 364, 366, 900] {
            for one in cases(daysAgo: days) where !one.around.isFollowed && !one.around.followsAnother {
                guard one.question.topic.kind != .significantAppUpdate, goes(one, kept: 30) else { continue }
                gone += 1
                for askAgain in [0, 86_400, Policy.longestAskAgain] {
                    // Those that ended without a decision are not even looked at.
                    let ended = one.question.state == .expired || one.question.state == .cancelled
                    let with = verdict(
                        one.question.topic, ended ? nil : one.question, Policy(askAgainSeconds: askAgain))
                    #expect(with == "create" && verdict(one.question.topic, nil, Policy()) == "create")
                }
            }
        }
        #expect(gone > 30)
    }

    private func verdict(_ topic: Topic, _ standing: Question?, _ policy: Policy) -> String {
        let verdict = Asking.decide(
            Samples.ask(topic, description: "May I?"), person: Samples.person(), change: nil, standing: standing,
            policy: policy, now: now, random: 1)
        switch verdict {
        case .create: return "create"
        case .existing: return "existing"
        case .refused(let refusal): return refusal.code
        }
    }

    /// A store may still tell of an approval from before it, which must not answer what was asked since.
    @Test func aRefusalOfAChangeStaysUntilThatIsWithdrawn() {
        for one in cases(daysAgo: 900) where one.question.topic.kind == .significantAppUpdate {
            guard one.question.state == .denied || one.question.state == .revoked else { continue }
            let isSuperseded = one.question.supersededBy != nil
            #expect(goes(one, kept: 30) == (isOfWithdrawn(one) && (isSuperseded || isAlone(one))))
            var rescinded = one.question
            rescinded.resolution = Resolution(by: .rescission, at: rescinded.updatedAt, reason: nil)
            if one.around.isFollowed { #expect(rescinded.isDispensable(one.around, keptSeconds: 30, at: now)) }
        }
    }

    @Test func aRefusalStaysAsLongAsAnyPolicyCouldHoldIt() {
        for days: Int64 in [31, 365] {
            for one in cases(daysAgo: days) where one.question.topic.kind != .significantAppUpdate {
                guard one.question.state == .denied || one.question.state == .revoked else { continue }
                #expect(goes(one, kept: 30) == (one.question.supersededBy != nil))
            }
        }
    }

    @Test func nothingIsLetOutFromBehindAnother() {
        for one in cases(daysAgo: 900) where one.around.followsAnother && !one.around.isFollowed {
            let endedWithout = one.question.state == .expired || one.question.state == .cancelled
            let isChange = one.question.topic.kind == .significantAppUpdate
            #expect(goes(one, kept: 30) == (endedWithout && !isChange))
        }
    }
}
