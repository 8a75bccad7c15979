package import Consent
import JSON

/// The body of `POST /v1/access-decisions`: who is asked about.
package struct PostedPersons: Sendable, Equatable {
    package static let most = 500
    /// Bytes that a body may have: so many of the longest ids, quoted, and as much again for escapes.
    package static let largestBody = 131_072

    /// 1 to 500 in the order asked; the same person may stand there more than once.
    package let persons: [CallerID]

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            body.array("persons", count: 1...PostedPersons.most) { $0.callerID() }.map(PostedPersons.init(persons:))
        }
    }

    private init(persons: [CallerID]) {
        self.persons = persons
    }
}
