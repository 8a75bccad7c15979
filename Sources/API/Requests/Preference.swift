import HTTPServer

/// What `Prefer` (RFC 7240) asks for, as far as it is granted here.
enum Preference {
    /// The longest wait that is granted, in seconds.
    static let longestWait = 60

    /// How many seconds the caller will wait for a difference, at most `longestWait`; nil where they did not say, or not in a form
    /// that can be read, for a preference that is not understood is no fault.
    static func wait(_ headers: Headers) -> Int? {
        for field in headers.all("Prefer") {
            for preference in field.utf8.split(separator: UInt8(ascii: ",")) {
                if let seconds = seconds(preference) { return min(seconds, longestWait) }
            }
        }
        return nil
    }

    private static func seconds(_ preference: Substring.UTF8View) -> Int? {
        let end = preference.firstIndex(of: UInt8(ascii: ";")) ?? preference.endIndex
        guard let sign = preference[..<end].firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = trimmed(preference[..<sign])
        var value = trimmed(preference[preference.index(after: sign)..<end])
        guard name.count == 4, zip(name, "wait".utf8).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
            value = value.dropFirst().dropLast()
        }
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        // More digits than any wait has are a long wait, not a fault.
        return value.count > 9 ? longestWait : value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }
}

extension HeaderField {
    /// Says that the preference to wait was honoured, and for how long at most.
    static func waited(_ seconds: Int) -> HeaderField { HeaderField("Preference-Applied", "wait=\(seconds)") }
    static let varyingPreference = HeaderField("Vary", "Prefer")
}
