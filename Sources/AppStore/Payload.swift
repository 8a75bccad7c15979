import JSON

/// A verified payload as a document.
enum Payload {
    /// Reads the payload's top-level object strictly but with members nobody knows, or refuses it.
    static func read<Value>(
        _ bytes: [UInt8], _ read: (ObjectReader) -> Value
    ) throws(TokenRefusal) -> Value {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument.parse(bytes)
        } catch {
            throw TokenRefusal(.payloadMalformed, "The payload is not strict JSON. \(error.detail)")
        }
        do throws(InvalidFields) {
            return try document.readObject { payload in
                payload.ignoreOthers()
                return read(payload)
            }
        } catch {
            throw TokenRefusal(.payloadMalformed, "The payload is not a JSON object.")
        }
    }

    /// The moment a member gives, or why there is none.
    static func date(_ member: Member<Int64>, _ name: String) throws(TokenRefusal) -> Int64 {
        switch member {
        case .value(let moment): return moment
        case .absent: throw TokenRefusal(.dateMissing, "The payload has no \(name).")
        case .wrong:
            throw TokenRefusal(.dateInvalid, "The payload's \(name) is no whole number of milliseconds since 1970.")
        }
    }
}
