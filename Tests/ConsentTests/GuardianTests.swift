import Consent
import Testing

/// Who may answer, over links there are, links there were, and links that are required.
@Suite struct GuardianTests {
    struct Household: Sendable {
        let guardians: [CallerID]
        let everLinked: Bool
        let required: Bool

        var person: Person { Samples.person(guardians: guardians, everLinked: everLinked) }
        var policy: Policy { Policy(requireGuardianLinks: required) }
        var isOpen: Bool { guardians.isEmpty && !everLinked && !required }
    }

    static let households: [Household] = [[], [Samples.g1], [Samples.g1, Samples.g2]].flatMap { guardians in
        [(false, false), (false, true), (true, false), (true, true)].map {
            Household(guardians: guardians, everLinked: $0.0, required: $0.1)
        }
    }

    @Test("linked guardians answer; others only for a person who never had a link", arguments: households)
    func mayAnswer(household: Household) {
        for guardian in [Samples.g1, Samples.g2, Samples.g3] {
            let expected = household.guardians.contains(guardian) || household.isOpen
            #expect(household.person.mayAnswer(guardian, policy: household.policy) == expected)
        }
    }

    @Test("links bound the quorum only where only linked guardians answer", arguments: households)
    func reachable(household: Household) {
        for quorum in 1...Policy.largestQuorum {
            let expected = household.isOpen || quorum <= household.guardians.count
            #expect(household.person.reachable(quorum: quorum, policy: household.policy) == expected)
        }
    }

    @Test("a guardian is linked by bytes")
    func bytes() {
        let person = Samples.person(guardians: [CallerID(trusted: "Andr\u{e9}")])
        #expect(person.mayAnswer(CallerID(trusted: "Andr\u{e9}"), policy: Policy()))
        #expect(!person.mayAnswer(CallerID(trusted: "Andre\u{301}"), policy: Policy()))
    }
}
