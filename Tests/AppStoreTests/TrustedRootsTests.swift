import AppStore
import AppStoreTestSupport
import Crypto
import Testing

/// The operator's files of roots.
struct TrustedRootsTests {
    private static func pem(_ der: [UInt8], mark: String = "CERTIFICATE") -> String {
        var text = Array(TestToken.base64(der))
        var lines: [String] = []
        while !text.isEmpty {
            lines.append(String(text.prefix(64)))
            text.removeFirst(min(64, text.count))
        }
        return "-----BEGIN \(mark)-----\n" + lines.joined(separator: "\n") + "\n-----END \(mark)-----\n"
    }

    private static func roots(_ bytes: [UInt8]...) throws -> TrustedRoots? {
        try TrustedRoots(files: bytes.enumerated().map { ("file-\($0.offset)", $0.element) })
    }

    private static func fault(_ bytes: [UInt8]) -> RootFileFault? {
        do throws(RootFileFault) {
            _ = try TrustedRoots(files: [("anchors.pem", bytes)])
            return nil
        } catch {
            return error
        }
    }

    @Test func pemAndDERServeAlike() throws {
        let der = try Bench.standard.get().root.make()
        let other = try TestChain(rootKey: .rsa(bits: 2048)).root.make()
        let both = Self.pem(der) + "a comment\n" + Self.pem(other)
        let fingerprint = Hexadecimal.encode(try SHA256.hash(der).bytes)
        for roots in [
            try Self.roots(der), try Self.roots(Array(Self.pem(der).utf8)),
            try Self.roots(der, Array(Self.pem(der).utf8)),
        ] {
            let roots = try #require(roots)
            #expect(roots.roots.map(\.fingerprint) == [fingerprint])
            #expect(roots.roots[0].subject == "CN=Test Root")
            #expect(roots.roots[0].validity.lowerBound < Int64(TestChain.start) * 1_000_000)
        }
        #expect(try Self.roots(Array(both.utf8))?.roots.count == 2)
        #expect(try Self.roots(der, other)?.roots.count == 2)
    }

    @Test func noFileIsNoRoots() throws {
        #expect(try TrustedRoots(files: []) == nil)
    }

    @Test func damagedFilesAreNamed() throws {
        let der = try Bench.standard.get().root.make()
        let pem = Self.pem(der)
        let broken: [[UInt8]] = [
            [], Array("hello".utf8), Array(der.dropLast()), der + [0], Array(pem.dropLast(30).utf8),
            Array(pem.replacing("MII", with: "MI!").utf8), Array((pem + String(pem.dropLast(40))).utf8),
            Array(Self.pem(der, mark: "PRIVATE KEY").utf8), Array((pem + Self.pem([1, 2, 3])).utf8),
            Array((pem + Self.pem(der, mark: "PRIVATE KEY")).utf8),
        ]
        for bytes in broken {
            let fault = try #require(Self.fault(bytes), "\(bytes.count) bytes")
            #expect(fault.reason == .damaged)
            #expect(fault.sentence.contains("'anchors.pem'"))
        }
        #expect(Self.fault([UInt8](repeating: 0x20, count: 300_000))?.reason == .tooLarge)
    }

    @Test func onlyRootsAreRoots() throws {
        let chain = try Bench.standard.get()
        #expect(Self.fault(try chain.leaf.make())?.reason == .notAuthority(subject: "CN=Test Leaf"))
        #expect(Self.fault(try chain.intermediate.make())?.reason == .notSelfIssued(subject: "CN=Test Intermediate"))
        let unable = chain.with { $0.root.keyUsage = "critical,digitalSignature" }
        #expect(Self.fault(try unable.root.make())?.reason == .notAuthority(subject: "CN=Test Root"))
    }

    @Test func anyOfSeveralRootsServes() throws {
        let chains = [try Bench.standard.get(), try TestChain()]
        // Two roots of the same name: the right one is found by its key.
        let roots = try #require(try Self.roots(try chains[1].root.make(), try chains[0].root.make()))
        let verifier = AppStoreVerifier(roots: roots)
        for chain in chains {
            let token = try chain.token(TestPayload.notification().json)
            #expect(
                verifier.judge(
                    notification: token, registrations: [TestPayload.registration], now: TestChain.moment
                ).isAccepted)
        }
    }
}
