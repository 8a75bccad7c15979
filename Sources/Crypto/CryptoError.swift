/// The cryptographic library could not do its work; nothing weaker is ever handed out instead.
package enum CryptoError: Error, Sendable, Equatable {
    /// The system's randomness could not be read.
    case randomUnavailable
    /// An algorithm is not provided (a broken OpenSSL configuration) or there was no memory for it.
    case algorithmUnavailable
}
