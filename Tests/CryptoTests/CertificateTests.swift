import AppStoreTestSupport
import Crypto
import Testing

struct CertificateTests {
    @Test func readsWhatIsInIt() throws {
        let chain = try TestChain()
        let der = try chain.leaf.make()
        let leaf = try #require(Certificate(der: der))
        #expect(leaf.subject == "CN=Test Leaf")
        #expect(leaf.issuer == "CN=Test Intermediate")
        #expect(leaf.fingerprint == (try SHA256.hash(der)))
        #expect(leaf.validity == Int64(TestChain.start) * 1_000_000...Int64(TestChain.end) * 1_000_000)
        #expect(leaf.keyDescription == "EC prime256v1")
        #expect(!leaf.isAuthority && !leaf.isSelfIssued)
        #expect(leaf.maySign == true && leaf.mayCertify == false)
        #expect(leaf.hasExtension(TestChain.leafMark) && !leaf.hasExtension(TestChain.intermediateMark))
        let root = try #require(Certificate(der: try chain.root.make()))
        #expect(root.isAuthority && root.isSelfIssued && root.mayCertify == true)
        #expect(root.keyDescription == "EC secp384r1")
    }

    @Test func basicConstraintsDecideAboutAuthorities() throws {
        var recipe = try TestChain().intermediate
        recipe.keyUsage = "critical,digitalSignature"
        #expect(try #require(Certificate(der: try recipe.make())).isAuthority)
        recipe.basicConstraints = nil
        recipe.keyUsage = "critical,keyCertSign"
        #expect(try !#require(Certificate(der: try recipe.make())).isAuthority)
    }

    @Test func namesAreOneLineOfASCII() throws {
        var recipe = try TestChain().leaf
        recipe.subject = "Zoë, \"quoted\"\n=x"
        let subject = try #require(Certificate(der: try recipe.make())).subject
        #expect(subject.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(subject)")
    }

    @Test func exactlyOneCertificate() throws {
        let der = try TestChain().leaf.make()
        for broken in [[], [0x30], Array(der.dropLast()), der + [0], der + der, [0x05, 0x00]] {
            #expect(Certificate(der: broken) == nil)
        }
        for length in stride(from: 0, to: der.count, by: 7) {
            #expect(Certificate(der: Array(der.prefix(length))) == nil)
        }
    }

    @Test func endBeforeStartIsNoValidity() throws {
        var recipe = try TestChain().leaf
        (recipe.notBefore, recipe.notAfter) = (recipe.notAfter, recipe.notBefore)
        #expect(Certificate(der: try recipe.make()) == nil)
    }
}
