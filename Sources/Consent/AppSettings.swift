/// What a caller may set of an application; replaced as a whole, a missing member returns to its default.
package struct AppSettings: Sendable, Hashable {
    /// 1 to 200 bytes.
    package var name: String
    /// Reverse-DNS id at the vendor, at most 155 bytes.
    package var bundleID: String?
    /// Numeric App Store id as text: ids do not survive JavaScript's numbers.
    package var appAppleID: String?
    package var environments: [OriginalVersion.Environment]
    /// Exact web origins that browsers may call from, such as `https://app.example`; at most 50.
    package var allowedOrigins: [String]
    package var policy: Policy

    package init(
        name: String, bundleID: String? = nil, appAppleID: String? = nil,
        environments: [OriginalVersion.Environment] = [.production], allowedOrigins: [String] = [],
        policy: Policy = Policy()
    ) {
        self.name = name
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environments = environments
        self.allowedOrigins = allowedOrigins
        self.policy = policy
    }
}
