package import Consent

/// What came of an attempt, to be written down.
package struct DeliveryReport: Sendable {
    package let endpoint: Identifier
    package let delivery: Identifier
    package let lease: Identifier
    package let result: AttemptResult
    package let milliseconds: Int
    /// 0 to 1, drawn for this attempt.
    package let jitter: Double

    package init(_ claimed: ClaimedDelivery, _ result: AttemptResult, milliseconds: Int, jitter: Double) {
        self.init(
            endpoint: claimed.endpoint, delivery: claimed.id, lease: claimed.lease, result, milliseconds: milliseconds,
            jitter: jitter)
    }

    package init(
        endpoint: Identifier, delivery: Identifier, lease: Identifier, _ result: AttemptResult, milliseconds: Int,
        jitter: Double
    ) {
        self.endpoint = endpoint
        self.delivery = delivery
        self.lease = lease
        self.result = result
        self.milliseconds = milliseconds
        self.jitter = jitter
    }
}
