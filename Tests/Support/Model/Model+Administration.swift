import Consent
import Store

extension Model {
    mutating func putChange(_ id: CallerID, _ settings: ChangeSettings, _ precondition: Precondition) -> Reply {
        let known = changes[id]
        guard precondition.allows(revision: known?.revision) else { return refused(.preconditionFailed) }
        if let known, known.withdrawal != nil { return refused(.changeWithdrawn(known)) }
        if let known, known.settings == settings { return .done(.change(known, created: false)) }
        let change = Change(
            id: id, settings: settings, revision: (known?.revision ?? 0) + 1, createdAt: known?.createdAt ?? now,
            updatedAt: now)
        changes[id] = change
        tell(known == nil ? .changeRegistered : .changeUpdated, nil, change.revision, .change(change))
        return .done(.change(change, created: known == nil))
    }

    mutating func withdraw(_ id: CallerID, _ reason: String?) -> Reply {
        guard let existing = changes[id] else { return refused(.unknownChange) }
        guard let change = existing.withdrawn(reason: reason, at: now) else {
            return .done(.change(existing, created: false))
        }
        changes[id] = change
        tell(.changeWithdrawn, nil, change.revision, .change(change))
        return .done(.change(change, created: false))
    }

    mutating func observe(_ observation: AgeRatingObservation) -> Reply {
        let known = ageRatings[observation.scope]
        func done(_ outcome: AgeRatingOutcome, _ baseline: AgeRating?, _ step: AgeRatingStep? = nil) -> Reply {
            .done(
                .ageRating(
                    AgeRatingReport(
                        observation.scope, outcome, baseline: baseline, previousCode: step?.previousCode,
                        change: step?.change)))
        }
        switch AgeRatingObserving.decide(
            observation, baseline: known, policy: policy, now: now, isTaken: { changes[$0] != nil })
        {
        case .refused(let refusal): return refused(refusal)
        case .ignored(.unavailable): return done(.unavailable, known)
        case .ignored(.sentinel): return done(.sentinel, known)
        case .ignored(.late): return done(.late, known)
        case .unchanged(let seen):
            ageRatings[seen.scope] = seen
            return done(.unchanged, seen)
        case .recorded(let rating, let step, let change):
            ageRatings[rating.scope] = rating
            ratingSteps.append(step)
            tell(known == nil ? .ageRatingBaselineSet : .ageRatingChanged, nil, step.revision, .ageRating(step))
            if let change {
                changes[change.id] = change
                tell(.changeRegistered, nil, change.revision, .change(change))
            }
            return done(known == nil ? .baselineSet : .changed, rating, step)
        }
    }

    mutating func putApp(_ settings: AppSettings, _ precondition: Precondition) -> Reply {
        guard precondition.allows(revision: app?.revision) else { return refused(.preconditionFailed) }
        if let app, app.settings == settings { return .done(.app(app, created: false)) }
        let isNew = app == nil
        let next = App(
            id: appID, settings: settings, revision: (app?.revision ?? 0) + 1, createdAt: app?.createdAt ?? now,
            updatedAt: now)
        app = next
        tell(.appUpdated, nil, next.revision, .app(next))
        return .done(.app(next, created: isNew))
    }

    mutating func createKey(_ new: NewKey) -> Reply {
        let key = APIKey(
            id: new.id, app: appID, role: new.role, label: new.label, rateLimit: new.rateLimit, createdAt: now,
            revokedAt: nil)
        keys[new.id] = key
        tell(.keyCreated, nil, nil, .key(key))
        return .done(.key(key))
    }

    mutating func revokeKey(_ id: Identifier) -> Reply {
        guard var key = keys[id], key.revokedAt == nil else { return refused(.unknownKey) }
        key.revokedAt = now
        keys[id] = key
        tell(.keyRevoked, nil, nil, .key(key))
        return .done(.keyRevoked)
    }
}
