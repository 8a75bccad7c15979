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
            steps: Step.allCases, length: 5, quorum: quorum, topic: .significantAppUpdate(change: Samples.changeID))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 9 + 81 + 729 + 6561 + 59_049)
    }

    @Test("and every sequence of up to 5 about something whose approval serves once", arguments: [1, 2])
    func everySequenceOfPurchases(quorum: Int) {
        var walk = ModelWalk(length: 5, quorum: quorum, topic: .purchase(product: CallerID(trusted: "game")))
        walk.run()
        #expect(walk.failures.isEmpty)
        #expect(walk.sequences == 8 + 64 + 512 + 4096 + 32_768)
    }
}
