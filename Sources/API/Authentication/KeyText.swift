import Consent
import Crypto

/// A key as its holder writes it: `asnt_<app>_<id>_<secret>`, an admin's without an app: `asnt__<id>_<secret>`.
///
/// `id` is the key's UUID as 32 hex digits, `secret` 32 random bytes in base64url without padding: 43 characters. What
/// is hashed and stored is the secret as written, so no second spelling of it can pass.
struct KeyText: Sendable {
    static let secretLength = 43

    /// Empty for an admin's.
    let app: ArraySlice<UInt8>
    let id: Identifier
    let secret: ArraySlice<UInt8>

    /// Nil unless the bytes have the form above; says nothing about whether there is such a key.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.starts(with: "asnt_".utf8) else { return nil }
        let rest = bytes.dropFirst(5)
        guard let end = rest.firstIndex(of: UInt8(ascii: "_")) else { return nil }
        let afterApp = rest[(end + 1)...]
        guard afterApp.count == 32 + 1 + Self.secretLength, let id = Self.identifier(afterApp.prefix(32)) else {
            return nil
        }
        let separator = afterApp.startIndex + 32
        guard afterApp[separator] == UInt8(ascii: "_") else { return nil }
        app = rest[..<end]
        self.id = id
        secret = afterApp[(separator + 1)...]
    }

    /// SHA-256 of the secret as written.
    func digest() throws(CryptoError) -> Digest {
        var hash = try SHA256()
        secret.withUnsafeBytes { hash.update($0) }
        return try hash.finish()
    }

    static func write(app: AppID?, id: Identifier, secret: String) -> String {
        "asnt_" + (app?.text ?? "") + "_" + hexadecimal(id.high) + hexadecimal(id.low) + "_" + secret
    }

    private static func hexadecimal(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// 32 lower-case hex digits.
    static func identifier(_ digits: ArraySlice<UInt8>) -> Identifier? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for byte in digits {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- UInt8(ascii: "a") &+ 10
            default: return nil
            }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        return digits.count == 32 ? Identifier(high: high, low: low) : nil
    }
}
