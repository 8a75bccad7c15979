import Consent
import Testing

@Suite struct AgeGroupTests {
    @Test("the gates 13, 16 and 18, and bands that straddle 18")
    func bands() {
        let rows: [(lower: Int?, upper: Int?, group: AgeGroup)] = [
            (nil, 12, .minor), (13, 15, .minor), (16, 17, .minor), (18, nil, .adultConfirmed),
            (nil, 17, .minor), (nil, 18, .unknown), (17, 18, .unknown), (17, nil, .unknown), (15, nil, .unknown),
            (0, 150, .unknown), (nil, nil, .unknown), (18, 20, .adultConfirmed), (21, nil, .adultConfirmed),
        ]
        for row in rows {
            let range = AgeRange.range(lower: row.lower, upper: row.upper, declaration: "confirmed")
            #expect(AgeGroup(range) == row.group, "\(range)")
        }
    }

    @Test("every pair of bounds, held against the ages they leave")
    func everyPair() {
        let bounds = [nil] + (10...25).map(Optional.some)
        for lower in bounds {
            for upper in bounds where AgeRange.agree(lower: lower, upper: upper) {
                let ages = (lower ?? 0)...(upper ?? 150)
                let expected: AgeGroup =
                    ages.allSatisfy { $0 < 18 } ? .minor : ages.allSatisfy { $0 >= 18 } ? .adultConfirmed : .unknown
                let range = AgeRange.range(lower: lower, upper: upper, declaration: "confirmed")
                #expect(AgeGroup(range) == expected, "\(range)")
                #expect(range.startsAtAdultAge == (expected == .adultConfirmed), "\(range)")
            }
        }
    }

    @Test(
        "only the declaration `confirmed` confirms, letter for letter",
        arguments: ["selfDeclared", "guardianDeclared", "Confirmed", "confirmed ", "", "verifiedBySomethingNew", nil])
    func declarations(declaration: String?) {
        #expect(AgeGroup(.range(lower: 18, upper: nil, declaration: declaration)) == .adultNotConfirmed)
        #expect(AgeGroup(.range(lower: 13, upper: 15, declaration: declaration)) == .minor)
    }

    @Test("not told is unknown, declined is an answer of its own")
    func withoutRange() {
        #expect(AgeGroup(.notTold) == .unknown)
        #expect(AgeGroup(.declined) == .declined)
    }

    @Test("bounds that contradict each other are refused where they enter, and clear nobody if they were there")
    func contradiction() {
        #expect(AgeGroup(.range(lower: 18, upper: 17, declaration: "confirmed")) == .unknown)
        #expect(!AgeRange.agree(lower: 18, upper: 17))
        #expect(AgeRange.agree(lower: 17, upper: 17))
        #expect(AgeRange.agree(lower: 18, upper: nil))
        #expect(AgeRange.agree(lower: nil, upper: 0))
        #expect(AgeRange.bounds == 0...150)
    }
}
