/// The Prometheus text format, version 0.0.4, as it is put together.
struct Exposition {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var bytes: [UInt8] = []
    private var name = ""

    init() {
        bytes.reserveCapacity(16 * 1024)
    }

    /// Begins a family; the samples that follow are its own.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        append("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
    }

    mutating func sample(_ labels: [(String, String)], _ value: Int) {
        append("\(name)\(Self.text(labels)) \(value)\n")
    }

    mutating func sample(_ labels: [(String, String)], _ value: Double) {
        append("\(name)\(Self.text(labels)) \(Self.text(value))\n")
    }

    /// - Parameter scale: how many of the histogram's units make one of the family's.
    mutating func histogram(_ labels: [(String, String)], _ histogram: Histogram, scale: Int64 = 1) {
        let (cumulative, sum) = histogram.reading
        for (index, count) in cumulative.enumerated() {
            let bound = index < histogram.bounds.count ? Self.text(scaled(histogram.bounds[index], scale)) : "+Inf"
            append("\(name)_bucket\(Self.text(labels + [("le", bound)])) \(count)\n")
        }
        append("\(name)_sum\(Self.text(labels)) \(Self.text(scaled(sum, scale)))\n")
        append("\(name)_count\(Self.text(labels)) \(cumulative.last ?? 0)\n")
    }

    private func scaled(_ value: Int64, _ scale: Int64) -> Double { Double(value) / Double(scale) }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Without the `.0` Swift gives whole numbers.
    private static func text(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return "\(Int64(value))" }
        return "\(value)"
    }

    /// Label values come from tables of ours, so escaping is a formality; it is done all the same.
    private static func text(_ labels: [(String, String)]) -> String {
        if labels.isEmpty { return "" }
        let pairs = labels.map { name, value in
            var escaped = ""
            for scalar in value.unicodeScalars {
                switch scalar {
                case "\\": escaped += "\\\\"
                case "\"": escaped += "\\\""
                case "\n": escaped += "\\n"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
            return "\(name)=\"\(escaped)\""
        }
        return "{" + pairs.joined(separator: ",") + "}"
    }
}
