import Consent

/// The command about age ratings.
extension BatchState {
    mutating func observe(_ observation: AgeRatingObservation) -> Reply {
        let scope = observation.scope
        let baseline = ageRatings[scope]
        let verdict = AgeRatingObserving.decide(
            observation, baseline: baseline, policy: policy, now: now,
            isTaken: { changes[$0] != nil || ratingChangeIDs.contains($0) })
        switch verdict {
        case .refused(let refusal): return refused(refusal)
        case .ignored(let reason):
            return .done(.ageRating(AgeRatingReport(scope, .init(reason), baseline: baseline)))
        case .unchanged(let seen):
            if seen != baseline { store(seen) }
            return .done(.ageRating(AgeRatingReport(scope, .unchanged, baseline: seen)))
        case .recorded(let rating, let step, let change):
            store(rating)
            writes.ratingSteps.append(step)
            let event: EventType = step.previousCode == nil ? .ageRatingBaselineSet : .ageRatingChanged
            writes.events.append(
                PendingEvent(
                    type: event, personRef: nil, question: nil, revision: step.revision,
                    data: EventEncoding.ageRating(step)))
            if let change { open(change) }
            return .done(
                .ageRating(
                    AgeRatingReport(
                        scope, step.previousCode == nil ? .baselineSet : .changed, baseline: rating,
                        previousCode: step.previousCode, change: step.change)))
        }
    }

    private mutating func store(_ rating: AgeRating) {
        ageRatings[rating.scope] = rating
        writes.ageRatings[rating.scope] = rating
    }
}

extension AgeRatingOutcome {
    fileprivate init(_ reason: AgeRatingVerdict.Reason) {
        switch reason {
        case .unavailable: self = .unavailable
        case .sentinel: self = .sentinel
        case .late: self = .late
        }
    }
}
