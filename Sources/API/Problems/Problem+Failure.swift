import HTTPServer
import Representation
import Store

extension Problem {
    /// What the database could not do.
    init(_ failure: StoreFailure) {
        switch failure {
        case .overloaded: self.init(.overloaded, retryAfter: 1)
        case .unavailable: self.init(.unavailable, "The database cannot be reached.", retryAfter: 2)
        case .deadline: self.init(.timedOut, "Nothing was changed.", retryAfter: 1)
        case .outcomeUnknown:
            self.init(
                .outcomeUnknown, "Repeat the request with the same Idempotency-Key, or read what it was about.",
                retryAfter: 2)
        case .broken: self.init(.internalError)
        }
        cause = failure
    }

    /// A body that was not taken.
    init(_ refusal: BodyRefusal) {
        switch refusal {
        case .unreadable(let error): self.init(.malformedBody, error.detail)
        case .unacceptable(let fields): self.init(.invalidBody, errors: fields.errors)
        }
    }

    /// What the server found wrong before or beside a handler.
    init(_ fault: Fault) {
        switch fault {
        case .badRequestLine(let detail), .badTarget(let detail): self.init(.malformedRequest, Self.sentence(detail))
        case .badHeader("", let detail): self.init(.malformedRequest, Self.sentence(detail))
        case .badHeader(let name, let detail): self = .header(name, Self.sentence(detail))
        case .bothLengths:
            self = .header("Transfer-Encoding", "Content-Length and Transfer-Encoding exclude each other.")
        case .targetTooLong(let limit): self.init(.targetTooLong, "At most \(limit) bytes are taken.")
        case .headTooLarge(let limit): self.init(.headTooLarge, "At most \(limit) bytes are taken.")
        case .bodyTooLarge(let limit): self.init(.bodyTooLarge, "At most \(limit) bytes are taken.")
        case .headTimeout, .bodyTimeout: self.init(.requestTimeout)
        case .overloaded: self.init(.overloaded, "As many connections as the server takes are open.", retryAfter: 1)
        case .draining: self.init(.unavailable, "The server is stopping.", retryAfter: 1)
        case .deadline: self.init(.timedOut, "What became of the request is not known.", retryAfter: 1)
        case .unusableResponse: self.init(.internalError)
        }
    }

    /// A clause as a sentence.
    private static func sentence(_ clause: String) -> String {
        clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }
}
