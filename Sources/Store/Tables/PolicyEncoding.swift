import Consent
import JSON

/// The members of a policy that have no column of their own: what `app.policy` holds, and an app's events beside the others.
enum PolicyEncoding {
    static func write(_ policy: Policy, _ json: inout JSONWriter) {
        func number(_ name: StaticString, _ value: Int) {
            json.key(name)
            json.integer(value)
        }
        func flag(_ name: StaticString, _ value: Bool) {
            json.key(name)
            json.bool(value)
        }
        func treatment(_ name: StaticString, _ value: Policy.Treatment) {
            json.key(name)
            json.string(value.rawValue)
        }
        json.beginObject()
        number("longestExpirationSeconds", policy.longestExpirationSeconds)
        treatment("ageRangeDeclined", policy.ageRangeDeclined)
        treatment("ageUnknown", policy.ageUnknown)
        treatment("featuresUnavailable", policy.featuresUnavailable)
        treatment("featuresUnknown", policy.featuresUnknown)
        treatment("featuresUnsupported", policy.featuresUnsupported)
        flag("sandboxExempts", policy.sandboxExempts)
        json.key("verificationMethods")
        json.beginArray()
        for method in policy.verificationMethods { json.string(method) }
        json.endArray()
        json.key("regions")
        json.beginArray()
        for region in policy.regions { write(region, &json) }
        json.endArray()
        flag("ageRatingOpensChange", policy.ageRatingOpensChange)
        number("reminderSeconds", policy.reminderSeconds)
        number("rescissionMarginSeconds", policy.rescissionMarginSeconds)
        json.endObject()
    }

    private static func write(_ region: RegionPolicy, _ json: inout JSONWriter) {
        json.beginObject()
        json.key("region")
        json.string(region.region)
        json.key("duties")
        json.beginArray()
        for duty in region.duties { json.string(duty.rawValue) }
        json.endArray()
        if let age = region.selfConsentAge {
            json.key("selfConsentAge")
            json.integer(age)
        }
        json.endObject()
    }

    /// Sets what the object has; the rest stays as it is.
    static func read(_ object: ObjectReader, into policy: inout Policy) {
        func number(_ name: StaticString, _ value: inout Int) { value = object.integer(name, .optional) ?? value }
        func flag(_ name: StaticString, _ value: inout Bool) { value = object.bool(name, .optional) ?? value }
        func treatment(_ name: StaticString, _ value: inout Policy.Treatment) {
            value = object.enumeration(name, .optional, of: Policy.Treatment.self) ?? value
        }
        number("longestExpirationSeconds", &policy.longestExpirationSeconds)
        treatment("ageRangeDeclined", &policy.ageRangeDeclined)
        treatment("ageUnknown", &policy.ageUnknown)
        treatment("featuresUnavailable", &policy.featuresUnavailable)
        treatment("featuresUnknown", &policy.featuresUnknown)
        treatment("featuresUnsupported", &policy.featuresUnsupported)
        flag("sandboxExempts", &policy.sandboxExempts)
        if let methods = object.strings("verificationMethods", .optional, count: any, bytes: any) {
            policy.verificationMethods = methods
        }
        if let regions = object.array("regions", .optional, count: any, { $0.object(region) }) {
            policy.regions = regions
        }
        flag("ageRatingOpensChange", &policy.ageRatingOpensChange)
        number("reminderSeconds", &policy.reminderSeconds)
        number("rescissionMarginSeconds", &policy.rescissionMarginSeconds)
    }

    private static var any: ClosedRange<Int> { 0...Int.max }

    private static func region(_ row: ObjectReader) -> RegionPolicy? {
        let duties = row.array("duties", count: any) { $0.enumeration(of: Duty.self) }
        let age = row.integer("selfConsentAge", .optional)
        guard let region = row.string("region"), let duties else { return nil }
        return RegionPolicy(region: region, duties: duties, selfConsentAge: age)
    }
}
