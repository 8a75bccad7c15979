import Crypto
import JSON

/// A token's header: the algorithm is ES256, and there are three certificates.
struct TokenHeader: Sendable {
    /// DER of the certificate whose key signed the token.
    let leaf: [UInt8]
    /// DER of the certificate whose key signed the leaf.
    let intermediate: [UInt8]
    // The third entry claims to be the root. It must be there and is never looked at: roots are the operator's to name.

    /// Reads the header's bytes strictly; a member that stands there twice is refused, since readers differ in which they take.
    init(_ bytes: [UInt8]) throws(TokenRefusal) {
        let fields = try Self.fields(bytes)
        guard fields.algorithm == .value("ES256") else {
            throw TokenRefusal(.algorithmNotES256, "The header's alg is not ES256.")
        }
        guard !fields.isCritical else {
            throw TokenRefusal(.headerCritical, "The header marks extensions as critical, and none is understood.")
        }
        guard let chain = fields.chain, chain.count == 3 else {
            throw TokenRefusal(
                .chainLength,
                "The header's x5c must hold exactly three certificates; this has "
                    + (fields.chain.map { "\($0.count)." } ?? "no such list."))
        }
        guard let leaf = Base64.decode(chain[0]), let intermediate = Base64.decode(chain[1]) else {
            throw TokenRefusal(.certificateMalformed, "A certificate in x5c is not base64.")
        }
        self.leaf = leaf
        self.intermediate = intermediate
    }

    private struct Fields {
        var algorithm = Member<String>.absent
        var isCritical = false
        /// Nil unless it is a list of texts.
        var chain: [String]?
    }

    private static func fields(_ bytes: [UInt8]) throws(TokenRefusal) -> Fields {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument.parse(bytes)
        } catch {
            throw TokenRefusal(.headerMalformed, "The header is not strict JSON. \(error.detail)")
        }
        do throws(InvalidFields) {
            return try document.readObject { header in
                defer { header.ignoreOthers() }
                var fields = Fields()
                fields.algorithm = header.text("alg")
                fields.isCritical = header.kind("crit") != nil
                guard header.kind("x5c") == .array else { return fields }
                var areTexts = true
                let chain = header.array("x5c", count: 0...Int.max) { entry -> String? in
                    guard entry.kind == .string else {
                        areTexts = false
                        return ""
                    }
                    return entry.string()
                }
                fields.chain = areTexts ? chain : nil
                return fields
            }
        } catch {
            throw TokenRefusal(.headerMalformed, "The header is not a JSON object.")
        }
    }
}
