/// Seals secrets for storage under the operator's keys: the first seals, all of them open, so that a key can be replaced by
/// putting a new one before it.
///
/// What is sealed says which version of this format it has and which key sealed it, and opens only for the purpose, app and
/// id that it was sealed for: a row cannot pass for another. Layout: version (1 byte), key's name (8), nonce (12), ciphertext, tag (16);
/// AES-256-GCM with random nonces, which one key bears for some four thousand million secrets (NIST SP 800-38D §8.3).
package struct SecretBox: Sendable {
    /// What a secret is for; it must be the same when it is opened.
    package struct Context: Sendable, Hashable {
        /// What kind of secret it is, such as `signing-key`.
        package let purpose: String
        /// Whose it is; empty where it is no app's.
        package let app: String
        /// Of which row.
        package let id: String

        package init(purpose: String, app: String, id: String) {
            self.purpose = purpose
            self.app = app
            self.id = id
        }

        /// Each part with its length before it, so that no two contexts have the same bytes.
        fileprivate var bytes: [UInt8] {
            var bytes: [UInt8] = []
            for part in [purpose, app, id] {
                let text = Array(part.utf8)
                bytes += withUnsafeBytes(of: UInt32(truncatingIfNeeded: text.count).bigEndian) { Array($0) }
                bytes += text
            }
            return bytes
        }
    }

    /// Why a secret does not open.
    package enum Fault: Error, Sendable, Equatable {
        /// Nothing that was sealed here, or of a version that is not known.
        case unreadable
        /// Sealed under a key that is not among these.
        case unknownKey
        /// Altered, or sealed for something else.
        case altered
        case algorithmUnavailable
    }

    private static let version: UInt8 = 1
    private static let headLength = 1 + SecretKey.nameLength

    private let sealing: SecretKey
    private let keys: [SecretKey]

    /// A box under these keys, the newest first; nil without any.
    package init?(_ keys: [SecretKey]) {
        guard let first = keys.first else { return nil }
        sealing = first
        self.keys = keys
    }

    /// The names of the keys, the one that seals first.
    package var keyNames: [[UInt8]] { keys.map(\.name) }

    package func seal(_ secret: [UInt8], for context: Context) throws(CryptoError) -> [UInt8] {
        let head = [Self.version] + sealing.name
        return head + (try AES256GCM.seal(secret, key: sealing.bytes, with: head + context.bytes))
    }

    package func open(_ sealed: [UInt8], for context: Context) throws(Fault) -> [UInt8] {
        guard sealed.first == Self.version, sealed.count >= Self.headLength + AES256GCM.overhead else {
            throw .unreadable
        }
        let head = Array(sealed.prefix(Self.headLength))
        guard let key = keys.first(where: { $0.name.elementsEqual(head.dropFirst()) }) else { throw .unknownKey }
        let secret: [UInt8]?
        do throws(CryptoError) {
            let rest = Array(sealed.dropFirst(Self.headLength))
            secret = try AES256GCM.open(rest, key: key.bytes, with: head + context.bytes)
        } catch {
            throw .algorithmUnavailable
        }
        guard let secret else { throw .altered }
        return secret
    }

    /// Whether the key that seals now sealed this; else it is worth sealing anew.
    package func isCurrent(_ sealed: [UInt8]) -> Bool {
        sealed.starts(with: [Self.version] + sealing.name)
    }
}
