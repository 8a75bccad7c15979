import Crypto

/// The key under which the tests' servers keep secrets.
enum TestSecrets {
    static let box = SecretKey.list("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").flatMap { SecretBox($0) }
}
