import Consent
import Testing

/// What a store's id adds to what is known of a person.
@Suite struct AccountRegisteringTests {
    private let account = StoreAccount(
        store: .appStore, environment: .production, id: CallerID(trusted: "704897469903783"))

    private func version(
        _ value: String, _ kind: OriginalVersion.Kind = .build, _ environment: OriginalVersion.Environment = .production
    ) -> OriginalVersion {
        OriginalVersion(value: value, kind: kind, environment: environment)
    }

    private func registered(_ signedAt: Int64?, _ environment: OriginalVersion.Environment = .production)
        -> RegisteredAccount
    {
        RegisteredAccount(
            account: StoreAccount(store: .appStore, environment: environment, id: CallerID(trusted: "other")),
            personRef: Samples.ref, registeredAt: Samples.start, signedAt: signedAt.map { Samples.second($0) })
    }

    private func original(
        _ signed: OriginalVersion, known: OriginalVersion?, others: [RegisteredAccount] = []
    ) -> OriginalVersion? {
        AccountRegistering.facts(
            AccountRegistration(account: account, signedAt: Samples.start, original: signed),
            known: PersonFacts(original: known), others: others
        ).original
    }

    @Test("what a store signed replaces what was told, but the sandbox's 1.0 never what is not the sandbox's")
    func original() {
        #expect(original(version("104"), known: nil) == version("104"))
        #expect(original(version("104"), known: version("1")) == version("104"))
        #expect(original(version("104"), known: version("2.0", .version)) == version("104"))
        let sandbox = version("1.0", .version, .sandbox)
        #expect(original(sandbox, known: nil) == sandbox)
        #expect(original(sandbox, known: version("104")) == version("104"))
        #expect(original(version("104"), known: sandbox) == version("104"))
    }

    @Test("of several accounts the version counts that exempts from the least")
    func several() {
        let others = [registered(1)]
        #expect(original(version("104"), known: version("90"), others: others) == version("90"))
        #expect(original(version("80"), known: version("90"), others: others) == version("80"))
        #expect(original(version("1.10"), known: version("1.9"), others: others) == version("1.9"))
        #expect(original(version("104"), known: version("beta"), others: others) == version("beta"))
        // What was not signed, or signed elsewhere, was only told.
        for others in [[registered(nil)], [registered(1, .sandbox)]] {
            #expect(original(version("104"), known: version("90"), others: others) == version("104"))
        }
    }

    @Test("a plain id says nothing of the person, and signals say the age alone")
    func plain() {
        let known = PersonFacts(
            ageRange: .declined, duties: .features(["a"]), original: version("7"), region: "US-TX")
        let plain = AccountRegistration(account: account)
        #expect(AccountRegistering.facts(plain, known: known, others: []) == known)
        let signals = PlaySignals(form: .status("SHARED", source: "TIER_B"), ageLower: 13, ageUpper: 15)
        var told = known
        told.ageRange = .range(lower: 13, upper: 15, declaration: "guardianDeclared")
        let play = AccountRegistration(
            account: StoreAccount(store: .playStore, environment: .production, id: CallerID(trusted: "i")),
            signals: signals)
        #expect(AccountRegistering.facts(play, known: known, others: []) == told)
    }

    @Test("a repeat only adds, an older signature changes nothing, and none is from the future")
    func repeats() {
        func register(_ signedAt: Int64?, platform: String?, _ existing: RegisteredAccount?) -> RegisteredAccount {
            AccountRegistering.account(
                AccountRegistration(
                    account: account, signedAt: signedAt.map { Samples.second($0) }, platform: platform),
                existing: existing, personRef: Samples.ref, now: Samples.second(100))
        }
        let plain = register(nil, platform: nil, nil)
        #expect(plain.registeredAt == Samples.second(100) && plain.signedAt == nil)
        let signed = register(50, platform: "iOS", plain)
        #expect(signed.signedAt == Samples.second(50) && signed.platform == "iOS")
        #expect(register(49, platform: "macOS", signed) == signed)
        #expect(register(nil, platform: nil, signed) == signed)
        #expect(register(51, platform: "macOS", signed).platform == "macOS")
        #expect(register(900, platform: nil, signed).signedAt == Samples.second(100))
    }
}
