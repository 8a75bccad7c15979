import Consent

/// Rate limits as people write them: `100/1s`, `5000/1m`.
enum RateLimitText {
    static let expectation = "a number of requests from 1 to 1000000 in a time from 1s to 1h, such as 100/1s"

    static func parse(_ text: String) -> RateLimit? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let requests = DecimalText.parse(parts[0]),
            let (seconds, rest) = DurationText.parse(String(parts[1]))?.components, rest == 0
        else { return nil }
        return RateLimit(requests: requests, seconds: Int(seconds))
    }

    static func show(_ limit: RateLimit) -> String {
        "\(limit.requests)/\(DurationText.show(.seconds(limit.seconds)))"
    }
}
