import Consent
import JSON
import Store

/// Where the next page of a list starts, as text: a letter for the list's order, then fixed-width lower-case hex.
///
/// Whoever changes a list's order changes its letter, so a cursor of one order is never read in another.
enum Cursor {
    // MARK: Questions: `p` expiration id for pending ones, `c` id for the others

    static func write(_ position: QuestionPosition) -> String {
        var text = position.expiration == nil ? "c" : "p"
        if let expiration = position.expiration {
            text += hexadecimal(UInt64(bitPattern: expiration.microseconds))
        }
        return text + hexadecimal(position.id.high) + hexadecimal(position.id.low)
    }

    static func question(_ text: String, pending: Bool) -> QuestionPosition? {
        let bytes = Array(text.utf8)
        guard bytes.count == (pending ? 49 : 33), bytes[0] == UInt8(ascii: pending ? "p" : "c") else { return nil }
        guard let id = KeyText.identifier(bytes[(bytes.count - 32)...]) else { return nil }
        guard pending else { return QuestionPosition(expiration: nil, id: id) }
        guard let bits = half(bytes[1..<17]) else { return nil }
        let expiration = Int64(bitPattern: bits)
        // What no timestamp of ours can be, the database cannot hold either.
        guard (RFC3339.earliest...RFC3339.latest).contains(expiration) else { return nil }
        return QuestionPosition(expiration: Instant(microseconds: expiration), id: id)
    }

    // MARK: Lists in the byte order of their ids: `i` and the id's bytes

    static func write(_ id: String) -> String {
        var text = "i"
        for byte in id.utf8 {
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
        return text
    }

    static func id(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 3, bytes.count % 2 == 1, bytes.count <= 257, bytes[0] == UInt8(ascii: "i") else {
            return nil
        }
        var decoded: [UInt8] = []
        for position in stride(from: 1, to: bytes.count, by: 2) {
            guard let high = digit(bytes[position]), let low = digit(bytes[position + 1]) else { return nil }
            decoded.append(high << 4 | low)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    // MARK: Age ratings in the order of their scopes: `r`, the storefront in lower case, `p` or `s` for the environment

    static func write(_ scope: AgeRatingScope) -> String {
        "r" + scope.storefront.code.lowercased() + scope.environment.rawValue.prefix(1)
    }

    static func ageRating(_ text: String) -> AgeRatingScope? {
        guard text.utf8.count == 5, text.utf8.first == UInt8(ascii: "r"), text == text.lowercased(),
            let storefront = Storefront(text.dropFirst().prefix(3).uppercased()),
            let environment = OriginalVersion.Environment.allCases.first(where: {
                $0.rawValue.utf8.first == text.utf8.last
            })
        else { return nil }
        return AgeRatingScope(storefront: storefront, environment: environment)
    }

    // MARK: The stores' notices in the order they came: `s` and the id

    static func write(notification id: Identifier) -> String {
        "s" + hexadecimal(id.high) + hexadecimal(id.low)
    }

    static func notification(_ text: String) -> Identifier? {
        let bytes = Array(text.utf8)
        guard bytes.count == 33, bytes[0] == UInt8(ascii: "s") else { return nil }
        return KeyText.identifier(bytes[1...])
    }

    // MARK: Webhook deliveries, newest first: `d` and the id

    static func write(delivery id: Identifier) -> String {
        "d" + hexadecimal(id.high) + hexadecimal(id.low)
    }

    static func delivery(_ text: String) -> Identifier? {
        let bytes = Array(text.utf8)
        guard bytes.count == 33, bytes[0] == UInt8(ascii: "d") else { return nil }
        return KeyText.identifier(bytes[1...])
    }

    // MARK: Histories in the order of revisions: `n` and the revision

    static func write(revision: Int) -> String {
        "n" + hexadecimal(UInt64(revision))
    }

    static func revision(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 17, bytes[0] == UInt8(ascii: "n"), let number = half(bytes[1...]) else { return nil }
        // What no revision can be, the database cannot hold either.
        return number <= UInt64(Int32.max) ? Int(number) : nil
    }

    private static func hexadecimal(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func half(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = digit(byte) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
