import HTTPServer

/// How a request stands with every limit it was counted against, for the headers of its answer.
///
/// The fields are lists of structured fields (draft-ietf-httpapi-ratelimit-headers of September 2025): `q` requests in `w` seconds; `r`
/// left, one more in `t` seconds.
struct Standings: Sendable {
    private(set) var list: [(policy: RatePolicy, standing: Standing)] = []

    mutating func append(_ policy: RatePolicy, _ standing: Standing) {
        list.append((policy, standing))
    }

    /// None where no limit applies.
    var headers: [HeaderField] {
        guard !list.isEmpty else { return [] }
        let policies = list.map { policy, standing in
            "\"\(policy.rawValue)\";q=\(standing.limit.requests);w=\(standing.limit.seconds)"
        }
        let states = list.map { policy, standing in
            "\"\(policy.rawValue)\";r=\(standing.remaining);t=\(standing.growsInSeconds)"
        }
        return [
            HeaderField("RateLimit-Policy", policies.joined(separator: ", ")),
            HeaderField("RateLimit", states.joined(separator: ", ")),
        ]
    }
}
