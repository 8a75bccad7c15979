import Consent
import Testing

/// What Google Play says of a person, in the words of the one model.
@Suite struct PlaySignalsTests {
    private func age(_ form: PlaySignals.Form, _ lower: Int?, _ upper: Int?) -> AgeRange {
        PlaySignals(form: form, ageLower: lower, ageUpper: upper).ageRange
    }

    private func group(_ form: PlaySignals.Form, _ lower: Int?, _ upper: Int?) -> AgeGroup {
        AgeGroup(age(form, lower, upper))
    }

    @Test(
        "how the age is known becomes a declaration",
        arguments: [
            ("TIER_A", "selfDeclared"), ("TIER_B", "guardianDeclared"), ("TIER_C", "confirmed"),
            ("TIER_D", "confirmed"), ("TIER_E", "TIER_E"),
        ])
    func tiers(source: String, declaration: String) {
        for status in ["SHARED", nil] {
            let form = PlaySignals.Form.status(status, source: source)
            #expect(age(form, 13, 15) == .range(lower: 13, upper: 15, declaration: declaration))
            #expect(age(form, 18, nil) == .range(lower: 18, upper: nil, declaration: declaration))
            #expect(group(form, 13, 15) == .minor)
            #expect(group(form, 18, nil) == (declaration == "confirmed" ? .adultConfirmed : .adultNotConfirmed))
        }
    }

    @Test("what is not shared is declined, and what is to be verified first is confirmed by nothing")
    func statuses() {
        #expect(age(.status("NOT_SHARED", source: nil), nil, nil) == .declined)
        #expect(age(.status("NOT_SHARED", source: "TIER_D"), 18, nil) == .declined)
        #expect(age(.status("VERIFICATION_REQUIRED", source: nil), nil, nil) == .notTold)
        #expect(group(.status("VERIFICATION_REQUIRED", source: "TIER_D"), 18, nil) == .adultNotConfirmed)
        #expect(age(.status("SHARED", source: "TIER_D"), nil, nil) == .notTold)
    }

    @Test("a name that nobody knows is kept and confirms nothing, whatever it is")
    func unknown() {
        #expect(
            age(.status("SOMETHING", source: "TIER_D"), 18, nil)
                == .range(lower: 18, upper: nil, declaration: "SOMETHING"))
        for form: PlaySignals.Form in [
            .status("confirmed", source: "TIER_D"), .status("SHARED", source: "confirmed"), .userStatus("confirmed"),
            .userStatus("6"), .userStatus("99"), .status("shared", source: "TIER_D"),
        ] {
            #expect(group(form, 18, nil) == .adultNotConfirmed, "\(form)")
            #expect(group(form, 0, 12) == .minor, "\(form)")
        }
    }

    @Test("the older form says it all in one status, as a number or by name")
    func userStatus() {
        for name in ["0", "VERIFIED"] {
            #expect(group(.userStatus(name), nil, nil) == .adultConfirmed)
            #expect(age(.userStatus(name), 18, nil) == .range(lower: 18, upper: nil, declaration: "confirmed"))
        }
        for name in ["1", "2", "3", "SUPERVISED", "SUPERVISED_APPROVAL_PENDING", "SUPERVISED_APPROVAL_DENIED"] {
            #expect(age(.userStatus(name), 13, 15) == .range(lower: 13, upper: 15, declaration: "guardianDeclared"))
        }
        for name in ["4", "UNKNOWN"] { #expect(age(.userStatus(name), nil, nil) == .notTold) }
        for name in ["5", "DECLARED"] {
            #expect(age(.userStatus(name), 16, 17) == .range(lower: 16, upper: 17, declaration: "selfDeclared"))
        }
    }

    @Test("a band of the app's own, such as 15 and older, is neither a minor's nor an adult's")
    func customBands() {
        #expect(group(.status("SHARED", source: "TIER_C"), 15, nil) == .unknown)
        #expect(group(.status("SHARED", source: "TIER_C"), 0, 14) == .minor)
        #expect(group(.status("SHARED", source: "TIER_C"), 16, 18) == .unknown)
    }
}
