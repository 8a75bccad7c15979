import Consent
import Testing

/// Every history there can be, up to a length, held against the oracle in `Record`.
@Suite struct ModelTests {
    @Test("every sequence of up to 6 inputs ends as the page on states says", arguments: [1, 2])
    func everySequence(quorum: Int) {
        var walk = ModelWalk(length: 6, quorum: quorum, topic: .significantAppUpdate(change: Samples.changeID))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 8 + 64 + 512 + 4096 + 32_768 + 262_144)
    }

    @Test("so does every sequence of up to 5 in which a guardian may be linked again", arguments: [1, 2])
    func everySequenceWithLinking(quorum: Int) {
        var walk = ModelWalk(
            steps: Step.withoutRescission, length: 5, quorum: quorum,
            topic: .significantAppUpdate(change: Samples.changeID))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 9 + 81 + 729 + 6561 + 59_049)
    }

    @Test("so does every sequence of up to 5 in which consent is taken back and given again", arguments: [1, 2])
    func everySequenceWithRescission(quorum: Int) {
        var walk = ModelWalk(
            steps: Step.withoutWithdrawal, length: 5, quorum: quorum,
            topic: .significantAppUpdate(change: Samples.changeID))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 11 + 121 + 1331 + 14_641 + 161_051)
    }

    @Test("and every one of up to 5 in which the change is withdrawn", arguments: [1, 2])
    func everySequenceWithWithdrawal(quorum: Int) {
        var walk = ModelWalk(
            steps: Step.withWithdrawal, length: 5, quorum: quorum,
            topic: .significantAppUpdate(change: Samples.changeID))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 9 + 81 + 729 + 6561 + 59_049)
    }

    @Test("and every one of up to 6 answers, rescissions and returns", arguments: [1, 2])
    func everySequenceOfAnswersAndRescissions(quorum: Int) {
        let steps: [Step] = [.approval1, .denial1, .approval2, .denial2, .rescind, .reinstate]
        var walk = ModelWalk(
            steps: steps, length: 6, quorum: quorum, topic: .purchase(product: CallerID(trusted: "hat")))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 6 + 36 + 216 + 1296 + 7776 + 46_656)
    }

    @Test("and every sequence of up to 5 about something whose approval serves once", arguments: [1, 2])
    func everySequenceOfPurchases(quorum: Int) {
        var walk = ModelWalk(length: 5, quorum: quorum, topic: .purchase(product: CallerID(trusted: "game")))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 8 + 64 + 512 + 4096 + 32_768)
    }

    @Test("and of up to 4 whatever happens, what the person may do is what the page says", arguments: [1, 2])
    func everyAccess(quorum: Int) {
        var walk = ModelWalk(
            steps: Step.allCases, length: 4, quorum: quorum, topic: .significantAppUpdate(change: Samples.changeID))
        walk.decidesAccess = true
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 12 + 144 + 1728 + 20_736)
    }

    @Test("and long sequences drawn at random", arguments: [1, 2])
    func longSequences(quorum: Int) {
        var generator = Seeded(state: UInt64(quorum))
        var walk = ModelWalk(
            steps: Step.allCases, length: 20, quorum: quorum, topic: .significantAppUpdate(change: Samples.changeID))
        walk.decidesAccess = true
        for _ in 0..<400 { walk.runOnce(using: &generator) }
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 400 * 20)
    }

    /// SplitMix64: the same numbers in every run, so that a failure can be looked at again.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
