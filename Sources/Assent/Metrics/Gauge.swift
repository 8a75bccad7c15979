/// A value read when somebody asks for the metrics.
struct Gauge: Sendable {
    let name: String
    let kind: Exposition.Kind
    let help: String
    let labels: [(String, String)]
    let read: @Sendable () -> Double

    /// - Parameter kind: `counter` for what somebody else counts and never goes down.
    init(
        _ name: String, _ kind: Exposition.Kind, _ help: String, labels: [(String, String)] = [],
        read: @escaping @Sendable () -> Double
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
        self.read = read
    }
}
