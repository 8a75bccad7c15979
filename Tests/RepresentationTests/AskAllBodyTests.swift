import Consent
import JSON
import Testing

@testable import Representation

/// The body of a wish to ask about everything that is open.
struct AskAllBodyTests {
    @Test func everyMemberIsOptional() throws {
        let body = #"{"expirationDate":"2026-12-05T00:00:00Z","quorum":2,"language":"de-CH"}"#
        #expect(
            try AskAllRequest(person: Samples.person, body: Array(body.utf8))
                == AskAllRequest(
                    person: Samples.person, language: "de-CH", expiration: Samples.expiration, quorum: 2))
        for empty in ["{}", #"{"expirationDate":null,"quorum":null,"language":null}"#] {
            #expect(
                try AskAllRequest(person: Samples.person, body: Array(empty.utf8))
                    == AskAllRequest(person: Samples.person))
        }
    }

    @Test func everyWrongFieldIsNamed() {
        let body = #"{"expirationDate":1,"quorum":11,"language":"","description":"d","person":"p"}"#
        let error = #expect(throws: BodyRefusal.self) {
            try AskAllRequest(person: Samples.person, body: Array(body.utf8))
        }
        guard case .unacceptable(let fields) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            Set(fields.errors.map(\.pointer)) == ["/language", "/expirationDate", "/quorum", "/description", "/person"])
    }
}
