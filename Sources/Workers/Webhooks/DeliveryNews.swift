package import Consent
package import Store

/// What the delivery worker tells of itself.
package enum DeliveryNews: Sendable {
    case attempted(DeliveryAttempted)
    /// It looked at what is due: how long the longest due attempt had been so, in microseconds.
    case looked(lag: Int64)
    /// An attempt was not made, or its outcome is not known: the server stops, or it took so long that another may have the
    /// delivery. It is made again once the lease has run out.
    case gaveUp
    /// The store failed; it is tried again.
    case failed(StoreFailure)
}

/// An attempt that was made.
package struct DeliveryAttempted: Sendable {
    package let app: AppID
    package let endpoint: Identifier
    package let delivery: Identifier
    /// 1 for the first.
    package let number: Int
    package let result: AttemptResult
    package let milliseconds: Int

    package init(
        app: AppID, endpoint: Identifier, delivery: Identifier, number: Int, result: AttemptResult, milliseconds: Int
    ) {
        self.app = app
        self.endpoint = endpoint
        self.delivery = delivery
        self.number = number
        self.result = result
        self.milliseconds = milliseconds
    }
}
