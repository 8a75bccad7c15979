/// What the pages outside `/v1` show; made elsewhere, served here.
package struct OperationalPages: Sendable {
    /// Whether this instance should be sent requests.
    package enum Readiness: Sendable {
        case ready
        /// One sentence for the operator.
        case notReady(String)
    }

    /// `openapi/openapi.yaml` as it was built in.
    package let contract: [UInt8]
    package let readiness: @Sendable () async -> Readiness
    /// Prometheus text.
    package let metrics: @Sendable () async -> [UInt8]

    package init(
        contract: [UInt8], readiness: @escaping @Sendable () async -> Readiness,
        metrics: @escaping @Sendable () async -> [UInt8]
    ) {
        self.contract = contract
        self.readiness = readiness
        self.metrics = metrics
    }
}
