/// Names that count as a set, compared as bytes.
package enum Names {
    /// In byte order, without repeats.
    package static func sortedSet(_ names: [String]) -> [String] {
        var result: [String] = []
        result.reserveCapacity(names.count)
        for name in names.sorted(by: { $0.precedesInBytes($1) }) {
            if let last = result.last, last.hasBytes(of: name) { continue }
            result.append(name)
        }
        return result
    }
}
