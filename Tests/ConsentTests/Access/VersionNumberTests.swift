import Consent
import Testing

@Suite struct VersionNumberTests {
    @Test("components compare as numbers, and zeros at the end say nothing")
    func order() throws {
        let ascending = ["0", "0.9", "1", "1.0.1", "1.2", "1.9", "1.10", "1.10.1", "2", "10.0", "104"]
        let numbers = try ascending.map { try #require(VersionNumber($0)) }
        for (left, first) in numbers.enumerated() {
            for (right, second) in numbers.enumerated() {
                #expect((first < second) == (left < right), "\(ascending[left]) \(ascending[right])")
                #expect((first == second) == (left == right))
            }
        }
    }

    @Test(
        "written differently, the same",
        arguments: [
            ("1.10", "1.10.0"), ("1", "1.0.0.0"), ("0", "0.0"), ("1.02", "1.2"), ("007", "7"),
            ("00000000000000000000000000001", "1"),
        ])
    func same(left: String, right: String) {
        #expect(VersionNumber(left) != nil && VersionNumber(left) == VersionNumber(right))
    }

    @Test(
        "what is not numbers and dots cannot be read",
        arguments: [
            "", ".", "1.", ".1", "1..2", "v1.2", "1.2b3", "1.2 ", " 1.2", "+1", "-1", "1,2", "1.2-beta", "1.x",
            "\u{0661}.\u{0662}", "18446744073709551616", "1.99999999999999999999",
        ])
    func unreadable(text: String) {
        #expect(VersionNumber(text) == nil)
    }

    @Test func theLargestNumberIsRead() {
        #expect(VersionNumber("18446744073709551615") != nil)
        #expect(VersionNumber("20260718123456.1") != nil)
    }
}
