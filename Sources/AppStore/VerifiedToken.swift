/// A token whose signature holds, by a chain that ends at a trusted root; its dates are not checked yet.
struct VerifiedToken: Sendable {
    let payload: [UInt8]
    let chain: VerifiedChain
}
