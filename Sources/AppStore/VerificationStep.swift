/// The steps of a verification, in the order they are taken; the first that objects decides.
package enum VerificationStep: String, Sendable, CaseIterable {
    /// Three strict base64url parts, a strict header, ES256, three certificates, 64 bytes of signature.
    case structure
    /// The certificates' marks, usages and links, up to one of the operator's roots.
    case chain
    /// The token's signature, by the first certificate's key.
    case signature
    /// The payload as strict JSON, of the kind asked for, with a date.
    case payload
    /// The certificates' validity at the payload's date, or now.
    case dates
    /// Whom it is about, and in which environment.
    case identity
}
