import Testing

@testable import HTTPServer

@Suite struct FramingTests {
    private func framing(_ fields: [(String, String)], minor: Int = 1) -> Result<Framing, Fault> {
        let headers = Headers([HeaderField("Host", "h")] + fields.map { HeaderField($0.0, $0.1) })
        do throws(Fault) { return .success(try Framing(headers, minor: minor)) } catch { return .failure(error) }
    }

    private func fault(_ fields: [(String, String)], minor: Int = 1) -> String? {
        switch framing(fields, minor: minor) {
        case .success: nil
        case .failure(.badHeader(let name, _)): name
        case .failure(let fault): fault.kind
        }
    }

    @Test func readsWhatIsPlain() {
        #expect(framing([]) == .success(.none))
        #expect(framing([("Content-Length", "0")]) == .success(.length(0)))
        #expect(framing([("content-length", "65536")]) == .success(.length(65536)))
        #expect(framing([("Transfer-Encoding", "Chunked")]) == .success(.chunked))
    }

    @Test func refusesWhatTwoCouldReadDifferently() {
        #expect(fault([("Content-Length", "5"), ("Transfer-Encoding", "chunked")]) == "both_lengths")
        #expect(fault([("Content-Length", "5"), ("Content-Length", "5")]) == "Content-Length")
        for coding in ["gzip, chunked", "chunked, chunked", "identity", "", "chunked,", "xchunked"] {
            #expect(fault([("Transfer-Encoding", coding)]) == "Transfer-Encoding", "\(coding)")
        }
        #expect(fault([("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")]) == "Transfer-Encoding")
        #expect(fault([("Transfer-Encoding", "chunked")], minor: 0) == "Transfer-Encoding")
        for length in ["", "-1", "+1", "1,1", "0x10", "1 1", "5.0"] {
            #expect(fault([("Content-Length", length)]) == "Content-Length", "\(length)")
        }
    }

    @Test func aLengthBeyondCountingIsTooLarge() {
        #expect(framing([("Content-Length", "99999999999999999999999")]) == .success(.length(.max)))
    }

    @Test func oneHostIsRequired() {
        #expect(fault([("host", "other")]) == "Host")
        #expect((try? Framing(Headers(), minor: 0)) == Framing.none)
        #expect((try? Framing(Headers(), minor: 1)) == nil)
    }
}
