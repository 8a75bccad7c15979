import Consent
import JSON

extension Policy {
    /// Reads the `policy` of an app's body; a missing member is its default.
    init(_ policy: ObjectReader) {
        let defaults = Policy()
        func seconds(_ name: StaticString, _ range: ClosedRange<Int>, _ fallback: Int) -> Int {
            policy.integer(name, .optional, in: range) ?? fallback
        }
        func treatment(_ name: StaticString, _ fallback: Treatment) -> Treatment {
            policy.enumeration(name, .optional, of: Treatment.self) ?? fallback
        }
        let bound = Policy.expirationBound
        self.init(
            defaultExpirationSeconds: seconds("defaultExpirationSeconds", 1...bound, defaults.defaultExpirationSeconds),
            longestExpirationSeconds: seconds("longestExpirationSeconds", 1...bound, defaults.longestExpirationSeconds),
            askAgainSeconds: seconds("askAgainSeconds", 0...bound, defaults.askAgainSeconds),
            defaultQuorum: policy.integer("defaultQuorum", .optional, in: 1...Policy.largestQuorum)
                ?? defaults.defaultQuorum,
            requireGuardianLinks: policy.bool("requireGuardianLinks", .optional) ?? defaults.requireGuardianLinks,
            adultNotConfirmed: policy.enumeration("adultNotConfirmed", .optional, of: UnconfirmedAdult.self)
                ?? defaults.adultNotConfirmed,
            ageRangeDeclined: treatment("ageRangeDeclined", defaults.ageRangeDeclined),
            ageUnknown: treatment("ageUnknown", defaults.ageUnknown),
            featuresUnavailable: treatment("featuresUnavailable", defaults.featuresUnavailable),
            featuresUnknown: treatment("featuresUnknown", defaults.featuresUnknown),
            featuresUnsupported: treatment("featuresUnsupported", defaults.featuresUnsupported),
            sandboxExempts: policy.bool("sandboxExempts", .optional) ?? defaults.sandboxExempts,
            verificationMethods: Names.sortedSet(
                policy.array("verificationMethods", .optional, count: 0...20) { $0.featureName() } ?? []),
            regions: Policy.regions(policy),
            ageRatingOpensChange: policy.bool("ageRatingOpensChange", .optional) ?? defaults.ageRatingOpensChange,
            reminderSeconds: seconds("reminderSeconds", 0...bound, defaults.reminderSeconds),
            rescissionMarginSeconds: seconds(
                "rescissionMarginSeconds", 0...Policy.largestRescissionMargin, defaults.rescissionMarginSeconds))
        if defaultExpirationSeconds > longestExpirationSeconds {
            policy.refuse("longestExpirationSeconds", "must not be shorter than the default expiration")
        }
    }

    private static func regions(_ policy: ObjectReader) -> [RegionPolicy] {
        let rows = policy.array("regions", .optional, count: 0...100) { $0.object(region) } ?? []
        let sorted = rows.sorted { $0.region.utf8.lexicographicallyPrecedes($1.region.utf8) }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.region.utf8.elementsEqual(next.region.utf8) {
            policy.refuse("regions", "names a region twice: \(one.region)")
        }
        return sorted
    }

    private static func region(_ row: ObjectReader) -> RegionPolicy? {
        let region = row.string("region", mustBe: "must be 1 to 16 letters, digits and hyphens, such as \"US-TX\"") {
            Region.isValid($0) ? $0 : nil
        }
        let duties = row.array("duties", count: 0...Duty.allCases.count) { $0.enumeration(of: Duty.self) }
        let age = row.integer("selfConsentAge", .optional, in: RegionPolicy.selfConsentAges)
        guard let region, let duties else { return nil }
        return RegionPolicy(region: region, duties: Duty.allCases.filter(duties.contains), selfConsentAge: age)
    }
}
