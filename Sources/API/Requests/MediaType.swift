import HTTPServer

/// What a request says its body is.
enum MediaType: String {
    case json = "application/json"
    case csv = "text/csv"

    /// Refuses a body of any other type; a charset parameter may say UTF-8 only.
    static func require(_ type: MediaType, _ headers: Headers) throws(Problem) {
        guard let field = headers.bytes(of: "Content-Type"), headers.occurrences(of: "Content-Type") == 1,
            type.fits(field)
        else {
            var problem = Problem(.unsupportedMediaType, "Send Content-Type: \(type.rawValue), in UTF-8.")
            problem.extraHeaders = [HeaderField("Accept", type.rawValue)]
            throw problem
        }
        if let coding = headers.bytes(of: "Content-Encoding"), !equal(trimmed(coding), "identity") {
            var problem = Problem(.unsupportedMediaType, "Send the body without a content coding.")
            problem.extraHeaders = [HeaderField("Accept-Encoding", "identity")]
            throw problem
        }
    }

    /// Whether `Accept` names a stream of events and not JSON, which is what is sent to whoever takes either.
    static func wantsEventStream(_ headers: Headers) -> Bool {
        var wants = false
        for field in headers.all("Accept") {
            for range in Array(field.utf8).split(separator: UInt8(ascii: ",")) {
                let name = trimmed(range.prefix { $0 != UInt8(ascii: ";") })
                if equal(name, "text/event-stream") { wants = true }
                if equal(name, "application/json") { return false }
            }
        }
        return wants
    }

    func fits(_ field: ArraySlice<UInt8>) -> Bool {
        let end = field.firstIndex(of: UInt8(ascii: ";")) ?? field.endIndex
        let name: StaticString =
            switch self {
            case .json: "application/json"
            case .csv: "text/csv"
            }
        guard Self.equal(Self.trimmed(field[..<end]), name) else { return false }
        return Self.parametersAreFine(field[end...])
    }

    /// `;name=value` any number of times, values bare or quoted; only `charset` has a meaning here.
    private static func parametersAreFine(_ parameters: ArraySlice<UInt8>) -> Bool {
        var rest = parameters
        while rest.first == UInt8(ascii: ";") {
            rest = trimmed(rest.dropFirst())
            if rest.isEmpty { return true }
            if rest.first == UInt8(ascii: ";") { continue }
            guard let sign = rest.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let name = rest[..<sign]
            rest = rest[(sign + 1)...]
            let value: ArraySlice<UInt8>
            if rest.first == UInt8(ascii: "\"") {
                guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return false }
                value = rest[(rest.startIndex + 1)..<end]
                rest = trimmed(rest[(end + 1)...])
            } else {
                let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
                value = trimmed(rest[..<end])
                rest = rest[end...]
            }
            guard !name.isEmpty, !value.isEmpty else { return false }
            if equal(name, "charset"), !equal(value, "utf-8") { return false }
        }
        return rest.isEmpty
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    /// Equality of ASCII, `text` in lower case.
    private static func equal(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            bytes.count == text.count
                && zip(bytes, text).allSatisfy { byte, wanted in
                    (0x41...0x5a).contains(byte) ? byte | 0x20 == wanted : byte == wanted
                }
        }
    }
}
