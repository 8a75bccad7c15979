import JSON

/// The signed texts of a file: one a line, bare or as the body that carries them. Nothing of them is judged here.
enum SignedTexts {
    /// In the order of the lines; blank lines are passed over.
    static func read(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let text = String(decoding: line, as: UTF8.self).trimmed
            return text.isEmpty ? nil : carried(by: text) ?? text
        }
    }

    /// The member of a body with the signed text.
    private static func carried(by text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "{"), let document = try? JSONDocument.parse(Array(text.utf8)) else {
            return nil
        }
        return try? document.readObject { body -> String? in
            body.ignoreOthers()
            return body.string("signedPayload", .optional) ?? body.string("signedAppTransactionInfo", .optional)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let bytes = Array(utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        return String(decoding: bytes, as: UTF8.self)
    }
}
