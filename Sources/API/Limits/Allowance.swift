import Consent

/// How far one subject has used up a rate limit: the moment at which its allowance is whole again, and nothing else.
///
/// Each request puts that moment off by the time in which one request grows back, and is refused where it would then lie more than
/// the limit's whole span ahead (the generic cell rate algorithm, a token bucket without a clock). A moment is whole microseconds
/// of a monotonic clock and a fraction in parts of the limit's `requests`, so nothing is lost to rounding. Whoever has not been
/// heard of for the limit's span is as one never heard of.
struct Allowance: Sendable, Hashable {
    private var whole: Int64
    private var fraction: Int64 = 0

    /// Nothing used up.
    static let untouched = Allowance(whole: .min, fraction: 0)

    private init(whole: Int64, fraction: Int64) {
        self.whole = whole
        self.fraction = fraction
    }

    /// Whether nothing is used up any more.
    func isWhole(at now: Int64) -> Bool { whole < now || (whole == now && fraction == 0) }

    /// Uses one request up, where there is one left.
    mutating func take(_ limit: RateLimit, at now: Int64) -> Standing {
        let span = limit.span
        var next = isWhole(at: now) ? Allowance(whole: now, fraction: 0) : self
        // Left by another limit, where several share an allowance.
        if next.fraction >= Int64(limit.requests) { next = Allowance(whole: next.whole + 1, fraction: 0) }
        let (quotient, rest) = span.quotientAndRemainder(dividingBy: Int64(limit.requests))
        next.whole += quotient
        next.fraction += rest
        if next.fraction >= Int64(limit.requests) {
            next.whole += 1
            next.fraction -= Int64(limit.requests)
        }
        let ahead = next.whole - now
        guard ahead < span || (ahead == span && next.fraction == 0) else {
            return standing(limit, at: now, isRefused: true)
        }
        self = next
        return standing(limit, at: now, isRefused: false)
    }

    /// What is left, and when there is more; `isRefused` as given.
    func standing(_ limit: RateLimit, at now: Int64, isRefused: Bool = false) -> Standing {
        guard !isWhole(at: now) else {
            return Standing(limit: limit, remaining: limit.requests, growsIn: 0, isRefused: isRefused)
        }
        // In parts of a microsecond: a request costs the span, and as many parts as the limit has requests grow back in each.
        let (requests, span) = (Int64(limit.requests), limit.span)
        let used = min((whole - now) * requests + min(fraction, requests), span * requests)
        let remaining = (span * requests - used) / span
        let wanted = used - (requests - remaining - 1) * span
        return Standing(
            limit: limit, remaining: Int(remaining), growsIn: (wanted + requests - 1) / requests, isRefused: isRefused)
    }
}

/// How a subject stands with a limit after a request.
struct Standing: Sendable, Hashable {
    let limit: RateLimit
    /// Requests that could be made at once.
    let remaining: Int
    /// Microseconds until there is one more; 0 where nothing is used up.
    let growsIn: Int64
    /// Whether this very request was one too many; it was not counted then.
    let isRefused: Bool

    /// The same in whole seconds, rounded up, at least one.
    var growsInSeconds: Int { max(1, Int((growsIn + 999_999) / 1_000_000)) }
}

extension RateLimit {
    /// Microseconds.
    fileprivate var span: Int64 { Int64(seconds) * 1_000_000 }
}
