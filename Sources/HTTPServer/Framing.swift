/// How a request's body is delimited, by RFC 9112 §6 with nothing tolerated: what two parties could read differently is refused.
enum Framing: Equatable {
    case none
    case length(Int)
    case chunked

    /// `minor` is the HTTP/1 minor version.
    init(_ headers: Headers, minor: Int) throws(Fault) {
        try Self.checkHost(headers, minor: minor)
        let lengths = headers.occurrences(of: "Content-Length")
        let codings = headers.occurrences(of: "Transfer-Encoding")
        if codings > 0 {
            if lengths > 0 { throw .bothLengths }
            guard codings == 1, minor >= 1, let coding = headers.bytes(of: "Transfer-Encoding"),
                coding.equalsIgnoringCase("chunked")
            else {
                throw .badHeader(name: "Transfer-Encoding", detail: "only \"chunked\", once, in HTTP/1.1 is accepted")
            }
            self = .chunked
        } else if lengths > 0 {
            guard lengths == 1, let digits = headers.bytes(of: "Content-Length") else {
                throw .badHeader(name: "Content-Length", detail: "the header may be sent once")
            }
            self = .length(try Self.length(digits))
        } else {
            self = .none
        }
    }

    private static func length(_ digits: ArraySlice<UInt8>) throws(Fault) -> Int {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
            throw .badHeader(name: "Content-Length", detail: "the length is not a decimal number")
        }
        var length = 0
        for digit in digits {
            let (tens, much) = length.multipliedReportingOverflow(by: 10)
            let (sum, more) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            // Longer than can be counted is longer than any limit; the caller refuses it as too large.
            if much || more { return Int.max }
            length = sum
        }
        return length
    }

    private static func checkHost(_ headers: Headers, minor: Int) throws(Fault) {
        switch headers.occurrences(of: "Host") {
        case 1: return
        case 0:
            if minor >= 1 { throw .badHeader(name: "Host", detail: "HTTP/1.1 requires the header") }
        default: throw .badHeader(name: "Host", detail: "the header may be sent once")
        }
    }
}
