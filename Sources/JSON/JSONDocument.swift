import CJansson

/// One JSON text, read strictly by RFC 8259 and kept until the last reader of it is gone.
///
/// Belongs to the task that parsed it and is not sent elsewhere: requests turn their body into values of their own
/// and drop it. Strictness beyond syntax: duplicate keys, U+0000, a byte order mark, numbers out of range and deep
/// nesting are refused. Strings keep the bytes they were sent as; nothing is normalised or trimmed.
package final class JSONDocument {
    /// The value the text consists of; released by `json_decref` in `deinit`.
    let root: UnsafeMutablePointer<json_t>

    private init(owning root: UnsafeMutablePointer<json_t>) {
        self.root = root
    }

    deinit {
        json_decref(root)
    }

    /// Reads `bytes` as exactly one JSON value; any kind of value may stand at the top.
    package static func parse(
        _ bytes: [UInt8],
        maximumDepth: Int = 32
    ) throws(JSONSyntaxError) -> JSONDocument {
        // The closure hands the error back as a value, because `withUnsafeBufferPointer` forwards typed errors only
        // where its caller's closure type is spelled out.
        let result: Result<JSONDocument, JSONSyntaxError> = bytes.withUnsafeBufferPointer { buffer in
            if let refusal = refusalBeforeParsing(buffer, maximumDepth: maximumDepth) {
                return .failure(refusal)
            }
            var error = json_error_t()
            let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
            let root = buffer.withMemoryRebound(to: CChar.self) { text in
                json_loadb(text.baseAddress, text.count, flags, &error)
            }
            guard let root else { return .failure(JSONSyntaxError(error)) }
            return .success(JSONDocument(owning: root))
        }
        return try result.get()
    }

    /// Reads the document as one object and returns what `read` makes of it, or every wrong field at once.
    ///
    /// `read` asks for each member by name and never stops at a wrong one; it returns `nil` only when a member it
    /// cannot do without was wrong. Members nobody asked for are errors too. A document that is no object has one
    /// error, at the pointer `""`.
    package func readObject<Value>(_ read: (ObjectReader) -> Value?) throws(InvalidFields) -> Value {
        defer { withExtendedLifetime(self) {} }  // the readers hold pointers into it
        let errors = FieldErrors(of: self)
        let value = ValueReader(json: root, path: FieldPath(), errors: errors).object(read)
        if let value, errors.isEmpty { return value }
        throw errors.failure()
    }

    private static func refusalBeforeParsing(
        _ bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int
    ) -> JSONSyntaxError? {
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
            return JSONSyntaxError(.empty)
        }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            return JSONSyntaxError(.byteOrderMark, at: 0)
        }
        // jansson 2.14 swallows a raw zero byte that follows a number.
        if let offset = bytes.firstIndex(of: 0) {
            return JSONSyntaxError(.nullCharacter, at: offset)
        }
        if Nesting.exceeds(maximumDepth, in: bytes) {
            return JSONSyntaxError(.tooDeep(maximum: maximumDepth))
        }
        return nil
    }
}

extension JSONSyntaxError {
    /// Translates jansson's error; its text is left behind because it quotes the body.
    fileprivate init(_ error: json_error_t) {
        let offset = max(0, Int(error.position))
        self =
            switch withUnsafePointer(to: error, { json_error_code($0) }) {
            case json_error_duplicate_key: JSONSyntaxError(.duplicateKey, at: offset)
            case json_error_null_character, json_error_null_byte_in_key: JSONSyntaxError(.nullCharacter, at: offset)
            case json_error_numeric_overflow: JSONSyntaxError(.numberOutOfRange, at: offset)
            case json_error_invalid_utf8: JSONSyntaxError(.invalidUTF8, at: offset)
            case json_error_premature_end_of_input: JSONSyntaxError(.incomplete, at: offset)
            case json_error_end_of_input_expected: JSONSyntaxError(.trailingContent, at: offset)
            default: JSONSyntaxError(.malformed, at: offset)
            }
    }
}
