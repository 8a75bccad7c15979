package import Consent
package import JSON

extension JSONWriter {
    /// The last known age rating of an app in one storefront and environment.
    package mutating func ageRating(_ rating: AgeRating) {
        beginObject()
        scope(rating.scope)
        key("ageRatingCode")
        integer(rating.code)
        key("revision")
        integer(rating.revision)
        key("observedAt")
        moment(rating.observedAt)
        key("lastObservedAt")
        moment(rating.lastObservedAt)
        key("recordedAt")
        moment(rating.recordedAt)
        endObject()
    }

    /// One step in a rating's history; `previousCode` is `null` for the first value.
    package mutating func ageRatingStep(_ step: AgeRatingStep) {
        beginObject()
        scope(step.scope)
        key("revision")
        integer(step.revision)
        key("ageRatingCode")
        integer(step.code)
        key("previousCode")
        integer(step.previousCode)
        key("observedAt")
        moment(step.observedAt)
        key("recordedAt")
        moment(step.recordedAt)
        key("change")
        callerID(step.change)
        endObject()
    }

    /// What an observation came to; `baseline` is `null` where nothing is known yet.
    package mutating func ageRatingResult(
        _ outcome: AgeRatingOutcome, baseline: AgeRating?, previousCode: Int?, change: CallerID?
    ) {
        beginObject()
        key("outcome")
        string(outcome.rawValue)
        key("baseline")
        if let baseline { ageRating(baseline) } else { null() }
        key("previousCode")
        integer(previousCode)
        key("change")
        callerID(change)
        endObject()
    }

    private mutating func scope(_ scope: AgeRatingScope) {
        key("storefront")
        string(scope.storefront.code)
        key("environment")
        string(scope.environment.rawValue)
    }
}
