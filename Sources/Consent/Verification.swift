/// How the caller made sure that the guardian is one: a method's name and the caller's reference to the proof.
package struct Verification: Sendable, Hashable {
    /// 1 to 64 bytes.
    package let method: String
    /// At most 128 bytes.
    package let reference: String?

    package init(method: String, reference: String?) {
        self.method = method
        self.reference = reference
    }
}
