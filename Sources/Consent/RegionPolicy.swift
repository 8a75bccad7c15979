/// What an app holds to apply in a region where devices report no duties.
package struct RegionPolicy: Sendable, Hashable {
    /// A code as persons have it (`Region`), such as `BR` or `US-TX`.
    package let region: String
    /// Duties of everybody there, sorted, without repeats; none is an answer too.
    package let duties: [Duty]
    /// From which age a person consents for themselves there, 13 to 18; nil: from 18.
    package let selfConsentAge: Int?

    package static let selfConsentAges = 13...18

    package init(region: String, duties: [Duty], selfConsentAge: Int?) {
        self.region = region
        self.duties = duties
        self.selfConsentAge = selfConsentAge
    }
}
