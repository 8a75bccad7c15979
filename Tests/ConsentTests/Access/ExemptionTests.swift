import Consent
import Testing

@Suite struct ExemptionTests {
    private func covers(
        _ original: OriginalVersion?, version: String? = nil, build: String? = nil, policy: Policy = Policy()
    ) -> Bool {
        let change = ChangeInEffect(id: Samples.changeID, features: nil, version: version, build: build)
        return Exemption(original, policy: policy).covers(change)
    }

    private func first(
        _ value: String, _ kind: OriginalVersion.Kind = .version,
        _ environment: OriginalVersion.Environment = .production
    ) -> OriginalVersion {
        OriginalVersion(value: value, kind: kind, environment: environment)
    }

    @Test("introduced at or before the version the person first got")
    func atOrBefore() {
        #expect(covers(first("2.0"), version: "2.0"))
        #expect(covers(first("1.10"), version: "1.9"))
        #expect(covers(first("1.10.0"), version: "1.10"))
        #expect(!covers(first("1.9"), version: "1.10"))
        #expect(!covers(nil, version: "0"))
    }

    @Test("a version tells of versions only, a build of builds only, whatever the numbers")
    func kinds() {
        #expect(!covers(first("200"), build: "104"))
        #expect(!covers(first("200", .build), version: "2.0"))
        #expect(covers(first("104", .build), version: "2.0", build: "104"))
        #expect(!covers(first("103", .build), version: "2.0", build: "104"))
        #expect(covers(first("2.0"), version: "2.0", build: "104"))
    }

    @Test("what cannot be read exempts from nothing")
    func unreadable() {
        #expect(!covers(first("2.0 beta"), version: "1.0"))
        #expect(!covers(first("9"), version: "one"))
        #expect(!covers(first("9"), version: ""))
    }

    @Test("the sandbox's version never exempts unless the policy says so")
    func sandbox() {
        #expect(!covers(first("9", .version, .sandbox), version: "1.0"))
        #expect(covers(first("9", .version, .sandbox), version: "1.0", policy: Policy(sandboxExempts: true)))
        #expect(!covers(first("0.9", .version, .sandbox), version: "1.0", policy: Policy(sandboxExempts: true)))
    }

    @Test("a stored change is read once with both of what introduced it")
    func storedChange() {
        let change = ChangeInEffect(Samples.change())
        #expect(change == ChangeInEffect(id: Samples.changeID, features: ["video"], version: "2.0", build: nil))
    }
}
