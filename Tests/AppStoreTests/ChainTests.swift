import AppStore
import AppStoreTestSupport
import Testing

/// Every rule about the certificates: what breaks it is refused by name, and passes once that one thing is right.
struct ChainTests {
    typealias Change = @Sendable (inout TestChain) throws -> Void

    static let rules: [(reason: TokenRefusal.Reason, what: String, change: Change)] = [
        (.leafMarkMissing, "no mark on the leaf", { $0.leaf.marks = [] }),
        (.leafMarkMissing, "the intermediate's mark on the leaf", { $0.leaf.marks = [TestChain.intermediateMark] }),
        (.leafMarkMissing, "a longer mark on the leaf", { $0.leaf.marks = [TestChain.leafMark + ".1"] }),
        (.leafIsAuthority, "an authority as leaf", { $0.leaf.basicConstraints = "critical,CA:TRUE" }),
        (.leafKeyUsage, "a leaf that may not sign", { $0.leaf.keyUsage = "critical,keyAgreement" }),
        (.leafKeyUsage, "a leaf that does not say what it may", { $0.leaf.keyUsage = nil }),
        (.intermediateMarkMissing, "no mark on the intermediate", { $0.intermediate.marks = [] }),
        (
            .intermediateMarkMissing, "the leaf's mark on the intermediate",
            { $0.intermediate.marks = [TestChain.leafMark] }
        ),
        (
            .intermediateNotAuthority, "an intermediate that is no authority",
            { $0.intermediate.basicConstraints = "critical,CA:FALSE" }
        ),
        (
            .intermediateNotAuthority, "an intermediate without basic constraints",
            { $0.intermediate.basicConstraints = nil }
        ),
        (
            .intermediateKeyUsage, "an intermediate that may not certify",
            { $0.intermediate.keyUsage = "critical,digitalSignature" }
        ),
        (.intermediateKeyUsage, "an intermediate that does not say what it may", { $0.intermediate.keyUsage = nil }),
        (.leafNotIssuedByIntermediate, "a leaf of another issuer", { $0.leaf.issuer = "Somebody Else" }),
        (.rootNotTrusted, "an intermediate of another issuer", { $0.intermediate.issuer = "Somebody Else" }),
        (.chainTooWeak, "SHA-1 under the leaf", { $0.leaf.digest = "SHA1" }),
        (.chainTooWeak, "SHA-1 under the intermediate", { $0.intermediate.digest = "SHA1" }),
        (.chainInvalid, "a critical extension that nobody knows", { $0.leaf.marksAreCritical = true }),
        (.chainInvalid, "no key identifiers", { $0.leaf.identifiesKeys = false }),
        (
            .chainInvalid, "basic constraints of an authority that are not critical",
            { $0.intermediate.basicConstraints = "CA:TRUE,pathlen:0" }
        ),
    ]

    @Test(arguments: rules.indices)
    func everyRuleIsHeld(_ index: Int) throws {
        let rule = Self.rules[index]
        try Bench.expectRefusal(rule.reason, rule.what) { bench in
            bench.chain = try bench.chain.with(rule.change)
        }
    }

    /// Links with the right names and key identifiers, and the signature of another key.
    @Test func everyLinkIsSigned() throws {
        try Bench.expectRefusal(.leafSignatureInvalid, "leaf signed by another key") { bench in
            let stranger = try SigningKey(.curve("P-384"))
            bench.chain = bench.chain.with {
                $0.leaf.issuerKey = stranger
                $0.leaf.identifiesKeys = true
                $0.leaf.authorityKey = $0.intermediate.key
            }
        }
        try Bench.expectRefusal(.intermediateSignatureInvalid, "intermediate signed by another key") { bench in
            let stranger = try SigningKey(.curve("P-384"))
            bench.chain = bench.chain.with {
                $0.intermediate.issuerKey = stranger
                $0.intermediate.authorityKey = $0.root.key
            }
        }
    }

    /// A whole chain of somebody's own, root included, with every name and mark right.
    @Test func onlyTheOperatorsRootsAreTrusted() throws {
        let impostor = try TestChain()
        var bench = try Bench()
        bench.chain = impostor
        #expect(try bench.judge().refusal?.reason == .rootNotTrusted)
        // The operator's own root as third entry makes no difference: nobody looks at it.
        let own = try Bench.standard.get().root.make()
        bench.chain = impostor.with { $0.third = own }
        #expect(try bench.judge().refusal?.reason == .rootNotTrusted)
        let verifier = AppStoreVerifier(roots: try impostor.roots())
        let registrations = [TestPayload.registration]
        #expect(
            verifier.judge(notification: try bench.token(), registrations: registrations, now: bench.now).isAccepted)
    }

    @Test func thirdEntryIsNeverLookedAt() throws {
        let stranger = try TestChain().root.make()
        for third in [[], [0x30], stranger] {
            var bench = try Bench()
            bench.chain = bench.chain.with { $0.third = third }
            #expect(try bench.judge().isAccepted)
        }
    }

    /// An intermediate of the root that nobody made for the store, and a leaf under it with the store's mark.
    @Test func otherIntermediatesUnderTheRootDoNotServe() throws {
        try Bench.expectRefusal(.intermediateMarkMissing, "another authority under the same root") { bench in
            let key = try SigningKey(.curve("P-384"))
            bench.chain = bench.chain.with {
                $0.intermediate.key = key
                $0.intermediate.subject = "Another Intermediate"
                $0.intermediate.marks = []
                $0.leaf.issuer = "Another Intermediate"
                $0.leaf.issuerKey = key
            }
        }
    }

    /// The operator listed the intermediate's name as a root: the chain would be one shorter than what was checked.
    @Test func rootStandingInForTheIntermediateDoesNotServe() throws {
        let standard = try Bench.standard.get()
        var double = standard.root
        double.subject = "Test Intermediate"
        double.issuer = "Test Intermediate"
        double.key = standard.intermediate.key
        double.issuerKey = standard.intermediate.key
        let files = [("a", try double.make()), ("b", try standard.root.make())]
        let roots = try #require(try TrustedRoots(files: files))
        let verifier = AppStoreVerifier(roots: roots)
        let judgement = verifier.judge(
            notification: try Bench().token(), registrations: [TestPayload.registration], now: TestChain.moment)
        #expect(judgement.refusal?.reason == .rootNotTrusted)
    }

    @Test(arguments: [SigningKey.Kind.curve("P-384"), .curve("P-521"), .curve("secp256k1"), .rsa(bits: 2048)])
    func leafKeyLiesOnP256(_ kind: SigningKey.Kind) throws {
        let other = try SigningKey(kind)
        try Bench.expectRefusal(.leafKeyNotP256, "\(kind)") { bench in
            bench.edit = { [key = bench.chain.leaf.key] in $0.key = key }
            bench.chain = bench.chain.with { $0.leaf.key = other }
        }
    }

    @Test func curvesHaveNames() throws {
        let leafKey = try SigningKey(.curve("P-256"))
        leafKey.spellOutCurve()
        try Bench.expectRefusal(.leafKeyNotP256, "leaf") { bench in
            bench.chain = bench.chain.with { $0.leaf.key = leafKey }
        }
        let key = try SigningKey(.curve("P-384"))
        key.spellOutCurve()
        try Bench.expectRefusal(.chainTooWeak, "intermediate") { bench in
            bench.chain = bench.chain.with {
                $0.intermediate.key = key
                $0.leaf.issuerKey = key
            }
        }
    }

    @Test(arguments: [
        (SigningKey.Kind.rsa(bits: 2048), SigningKey.Kind.rsa(bits: 2048)),
        (.rsa(bits: 3072), .curve("P-384")), (.curve("P-384"), .rsa(bits: 2048)),
        (.curve("P-256"), .curve("P-256")), (.curve("P-521"), .curve("P-384")),
    ])
    func linksMayBeRSAOrAnyNamedCurve(_ root: SigningKey.Kind, _ intermediate: SigningKey.Kind) throws {
        let chain = try TestChain(rootKey: root, intermediateKey: intermediate)
        let verifier = AppStoreVerifier(roots: try chain.roots())
        let token = try chain.token(TestPayload.notification().json)
        let registrations = [TestPayload.registration]
        #expect(verifier.judge(notification: token, registrations: registrations, now: TestChain.moment).isAccepted)
    }

    /// A root is trusted because the operator says so, not because it signed itself; old ones did that with SHA-1.
    @Test func rootsOwnSignatureDoesNotCount() throws {
        let chain = try TestChain(rootKey: .rsa(bits: 2048)).with { $0.root.digest = "SHA1" }
        let verifier = AppStoreVerifier(roots: try chain.roots())
        let token = try chain.token(TestPayload.notification().json)
        let registrations = [TestPayload.registration]
        #expect(verifier.judge(notification: token, registrations: registrations, now: TestChain.moment).isAccepted)
    }

    @Test func shortRSAKeysAreTooWeak() throws {
        let key = try SigningKey(.rsa(bits: 1024))
        try Bench.expectRefusal(.chainTooWeak, "RSA of 1024 bits") { bench in
            bench.chain = bench.chain.with {
                $0.intermediate.key = key
                $0.leaf.issuerKey = key
            }
        }
    }
}
