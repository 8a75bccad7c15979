import Consent
import Crypto
import HTTPServer
import Store

/// Reads `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a structured-field string, or bare.
enum IdempotencyHeader {
    static let name = "Idempotency-Key"

    /// The key bound to the request, or nil where none was sent.
    static func key(of request: Request, caller: Caller) throws(Problem) -> IdempotencyKey? {
        guard let field = request.headers.bytes(of: name) else { return nil }
        guard request.headers.occurrences(of: name) == 1, let key = text(field) else {
            throw .header(name, "The header must be one key of 1 to 255 visible ASCII characters, quoted or bare.")
        }
        let scope: String
        do { scope = try caller.idempotencyScope() } catch { throw Problem(.internalError) }
        return IdempotencyKey(scope: scope, key: key, fingerprint: try fingerprint(request))
    }

    /// The key without its quotes, so that quoted and bare are the same; nil for anything else.
    static func text(_ field: ArraySlice<UInt8>) -> String? {
        var bytes = field[...]
        if bytes.first == UInt8(ascii: "\"") {
            guard let content = unquoted(bytes) else { return nil }
            bytes = content[...]
        }
        guard (1...255).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The content of a structured-field string (RFC 9651 §3.3.3), which escapes only the quote and the backslash.
    private static func unquoted(_ field: ArraySlice<UInt8>) -> [UInt8]? {
        var content: [UInt8] = []
        content.reserveCapacity(field.count)
        var position = field.startIndex + 1
        while position < field.endIndex {
            let byte = field[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return position == field.endIndex ? content : nil }
            if byte == UInt8(ascii: "\\") {
                guard position < field.endIndex else { return nil }
                let escaped = field[position]
                guard escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else { return nil }
                content.append(escaped)
                position += 1
            } else {
                content.append(byte)
            }
        }
        return nil
    }

    /// SHA-256 over the method, a blank, the path as it was sent, a line feed and the body.
    private static func fingerprint(_ request: Request) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(request.target.utf8.count + request.body.count + 16)
        bytes += request.method.text.utf8
        bytes.append(UInt8(ascii: " "))
        bytes += request.target.utf8.prefix { $0 != UInt8(ascii: "?") }
        bytes.append(UInt8(ascii: "\n"))
        bytes += request.body
        do { return try SHA256.hash(bytes).bytes } catch { throw Problem(.internalError) }
    }
}
