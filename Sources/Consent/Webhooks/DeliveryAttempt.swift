/// What came of one attempt to deliver an event.
package enum AttemptResult: Sendable, Hashable {
    /// `retryAfterSeconds`: what the answer's `Retry-After` comes to from now, never negative.
    case answered(status: Int, retryAfterSeconds: Int?)
    /// No answer could be had.
    case failed(AttemptFailure)

    package var isSuccess: Bool {
        if case .answered(200...299, _) = self { true } else { false }
    }

    /// Whether it says something of the receiver: what fails for a reason of the operator's disables nobody's endpoint.
    package var isReceivers: Bool { self != .failed(.unsigned) }
}

/// Why an attempt got no answer; the names are the API's and the database's.
package enum AttemptFailure: String, Sendable, Hashable, CaseIterable {
    /// The address is one that nothing is sent to, unless the operator allows it.
    case blocked
    /// The host has no address.
    case unresolved
    /// No connection could be made.
    case unreachable
    /// The receiver's certificate or its protocol is not acceptable.
    case tls
    /// No complete head of an answer came in time.
    case timeout
    /// The connection ended before an answer.
    case interrupted
    /// What came is no HTTP answer.
    case invalidResponse
    /// The endpoint's secret cannot be opened with the operator's key.
    case unsigned
}

/// One line of the delivery log.
package struct DeliveryAttempt: Sendable, Hashable {
    /// 1, 2, 3 … of its delivery, also over redeliveries.
    package let number: Int
    package let startedAt: Instant
    package let milliseconds: Int
    /// Nil where no answer was had.
    package let status: Int?
    package let failure: AttemptFailure?

    package init(number: Int, startedAt: Instant, milliseconds: Int, status: Int?, failure: AttemptFailure?) {
        self.number = number
        self.startedAt = startedAt
        self.milliseconds = milliseconds
        self.status = status
        self.failure = failure
    }
}
