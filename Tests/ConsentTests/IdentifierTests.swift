import Consent
import Testing

@Suite struct IdentifierTests {
    @Test("the layout of version 7: milliseconds, version, microsecond within, variant, random")
    func layout() {
        let id = Identifier(createdAt: Instant(microseconds: 0x0123_4567_89ab * 1000 + 999), random: .max)
        #expect(id.text == "01234567-89ab-73e7-bfff-ffffffffffff")
        #expect(Identifier(lowestAt: Instant(microseconds: 0)).text == "00000000-0000-7000-8000-000000000000")
    }

    @Test("sorted by id is sorted by moment, then by random bits")
    func order() {
        var generator = SystemRandomNumberGenerator()
        let near = (0..<200).map { _ in Int64.random(in: 0...5000, using: &generator) }
        let anywhere = (0..<200).map { _ in Int64.random(in: 0...253_402_300_799_999_999, using: &generator) }
        let made = (near + anywhere).map { moment in
            (moment: moment, random: UInt64.random(in: 0...3, using: &generator))
        }
        let byPair = made.sorted { left, right in (left.moment, left.random) < (right.moment, right.random) }
        let identifiers = byPair.map {
            Identifier(createdAt: Instant(microseconds: $0.moment), random: $0.random)
        }
        #expect(identifiers == identifiers.sorted())
        #expect(identifiers.map(\.text) == identifiers.map(\.text).sorted())
        for (pair, id) in zip(byPair, identifiers) {
            #expect(Identifier(lowestAt: Instant(microseconds: pair.moment)) <= id)
            #expect(id < Identifier(lowestAt: Instant(microseconds: pair.moment + 1)))
        }
    }

    @Test("moments that do not fit take the nearest that does")
    func extremes() {
        #expect(
            Identifier(createdAt: Instant(microseconds: .min), random: 0)
                == Identifier(lowestAt: Instant(microseconds: 0)))
        #expect(Identifier(createdAt: Instant(microseconds: .max), random: 0).text.hasPrefix("ffffffff-ffff-7"))
    }

    @Test("text comes back as the same id, in either case")
    func roundTrip() {
        for _ in 0..<200 {
            let id = Identifier(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
            #expect(Identifier(id.text) == id)
            #expect(Identifier(id.text.uppercased()) == id)
            #expect(id.text.utf8.count == 36)
        }
        #expect(
            Identifier("01234567-89ab-7def-8123-456789abcdef")
                == Identifier(high: 0x0123_4567_89ab_7def, low: 0x8123_4567_89ab_cdef))
    }

    @Test(
        "nothing but the canonical form is read",
        arguments: [
            "", "0", "0123456789ab7def8123456789abcdef", "{01234567-89ab-7def-8123-456789abcdef}",
            "01234567-89ab-7def-8123-456789abcde", "01234567-89ab-7def-8123-456789abcdef0",
            "01234567-89ab-7def-8123-456789abcdeg", "01234567-89ab-7def-8123-456789abcde ",
            "0123456-789ab-7def-8123-456789abcdef", "01234567_89ab_7def_8123_456789abcdef",
            "01234567-89ab-7def-8123-456789abcd\u{e9}", "urn:uuid:01234567-89ab-7def-8123-456789abcdef",
            "01234567-89ab-7def-8123--56789abcdef", "01234567-89ab-7def-8123-456789abcde\u{ff46}",
            "01234567-89ab-7def-8123-456789abcdef\n", "------------------------------------",
        ])
    func refused(text: String) {
        #expect(Identifier(text) == nil)
    }
}
