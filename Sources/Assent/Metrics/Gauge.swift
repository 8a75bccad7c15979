/// A family whose samples are read when somebody asks for the metrics.
struct Gauge: Sendable {
    typealias Sample = (labels: [(String, String)], value: Double)

    let name: String
    let kind: Exposition.Kind
    let help: String
    let read: @Sendable () -> [Sample]

    /// - Parameter kind: `counter` for what somebody else counts and never goes down.
    init(_ name: String, _ kind: Exposition.Kind, _ help: String, read: @escaping @Sendable () -> [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.read = read
    }

    init(_ name: String, _ kind: Exposition.Kind, _ help: String, value: @escaping @Sendable () -> Int) {
        self.init(name, kind, help) { [([], Double(value()))] }
    }
}
