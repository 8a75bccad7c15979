/// Who answers for a person. The person must hold their linked guardians.
extension Person {
    /// Whether a guardian's answer counts: a linked one, or any where the person never had a link and the policy does
    /// not require one. A person who ever had a link is never again open to unlinked guardians.
    package func mayAnswer(_ guardian: CallerID, policy: Policy) -> Bool {
        guardians.contains(guardian) || isOpenToAnyGuardian(policy: policy)
    }

    /// Whether so many guardians can approve at all; the links are counted only where only linked guardians answer.
    package func reachable(quorum: Int, policy: Policy) -> Bool {
        isOpenToAnyGuardian(policy: policy) || guardians.count >= quorum
    }

    private func isOpenToAnyGuardian(policy: Policy) -> Bool {
        !everLinked && guardians.isEmpty && !policy.requireGuardianLinks
    }
}
