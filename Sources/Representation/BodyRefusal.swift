package import JSON

/// Why a request's body was not taken; nothing of it was used.
package enum BodyRefusal: Error, Sendable, Equatable {
    /// It is not JSON (400).
    case unreadable(JSONSyntaxError)
    /// It is JSON with wrong fields, all of them named (422).
    case unacceptable(InvalidFields)
}

extension JSONDocument {
    /// Reads a body as one object with nothing unknown in it.
    static func object<Value>(
        in body: [UInt8], _ read: (ObjectReader) -> Value?
    ) throws(BodyRefusal) -> Value {
        let document: JSONDocument
        do {
            document = try JSONDocument.parse(body)
        } catch {
            throw .unreadable(error)
        }
        do {
            return try document.readObject(read)
        } catch {
            throw .unacceptable(error)
        }
    }
}

/// The body of a request that has nothing to say: `{}`.
package enum EmptyBody {
    package static func check(_ body: [UInt8]) throws(BodyRefusal) {
        _ = try JSONDocument.object(in: body) { _ in true }
    }
}
