/// One header of a response.
package struct HeaderField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Why this must not be put on the wire, or nil. Judged on bytes: to a String a CR LF pair is one Character.
    var fault: String? {
        if name.utf8.isEmpty || !name.utf8.allSatisfy(\.isTokenByte) { return "a response header's name is not a token" }
        if !value.utf8.allSatisfy(\.isFieldByte) { return "a response header's value holds a control byte" }
        return nil
    }

    /// Headers that say how the message is framed; the server alone writes them.
    var isFraming: Bool {
        let bytes = name.utf8
        switch bytes.count {
        case 4: return bytes.equalsIgnoringCase("date")
        case 10: return bytes.equalsIgnoringCase("connection") || bytes.equalsIgnoringCase("keep-alive")
        case 14: return bytes.equalsIgnoringCase("content-length")
        case 17: return bytes.equalsIgnoringCase("transfer-encoding")
        default: return false
        }
    }
}
