import Consent

/// A key kept in a file of the data directory for whoever tries the server out.
struct KeyFile: Sendable {
    let path: String

    /// The key's text; nil where there is no such file or nothing like a key in it.
    var text: String? {
        guard let text = Files.readText(path) else { return nil }
        let line = text.prefix { $0 != "\n" }
        return line.hasPrefix("asnt_") ? String(line) : nil
    }

    /// The id inside a key's text: its third part, 32 hex digits.
    static func identifier(of text: String) -> Identifier? {
        let parts = text.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[2].utf8.count == 32, let high = UInt64(parts[2].prefix(16), radix: 16),
            let low = UInt64(parts[2].suffix(16), radix: 16)
        else { return nil }
        return Identifier(high: high, low: low)
    }

    func write(_ text: String) throws(StartFailure) {
        guard Files.writePrivately(text + "\n", to: path) else { throw .failed("\(path) cannot be written") }
    }
}
