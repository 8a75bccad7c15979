/// How many requests may be made within a span of time: all of them at once, after that as evenly as they grow back.
package struct RateLimit: Sendable, Hashable {
    package static let requestRange = 1...1_000_000
    package static let secondRange = 1...3_600

    package let requests: Int
    package let seconds: Int

    /// Nil where a number is outside its range.
    package init?(requests: Int, seconds: Int) {
        guard Self.requestRange.contains(requests), Self.secondRange.contains(seconds) else { return nil }
        self.requests = requests
        self.seconds = seconds
    }

    /// What a `init?(requests:seconds:)` let through before, a row of the database.
    package init(trustedRequests requests: Int, seconds: Int) {
        self.requests = requests
        self.seconds = seconds
    }
}
