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
        if name.utf8.isEmpty || !name.utf8.allSatisfy(\.isTokenByte) {
            return "a response header's name is not a token"
        }
        if !value.utf8.allSatisfy(\.isFieldByte) { return "a response header's value holds a control byte" }
        return nil
    }

    /// Headers the server alone writes: how the message is framed, when it was made, which request it answers.
    var isReserved: Bool {
        let bytes = name.utf8
        switch bytes.count {
        case 4: return bytes.equalsIgnoringCase("date")
        case 10: return bytes.equalsIgnoringCase("connection") || bytes.equalsIgnoringCase("keep-alive")
        case 12: return bytes.equalsIgnoringCase("x-request-id")
        case 14: return bytes.equalsIgnoringCase("content-length")
        case 17: return bytes.equalsIgnoringCase("transfer-encoding")
        default: return false
        }
    }
}
