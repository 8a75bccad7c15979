import Crypto
import Testing

struct RandomTests {
    @Test(arguments: [0, 1, 16, 32, 65, 4_096])
    func givesAsManyBytesAsAskedFor(count: Int) throws {
        #expect(try SecureRandom.bytes(count).count == count)
    }

    @Test func aNegativeCountGivesNothing() throws {
        #expect(try SecureRandom.bytes(-1).isEmpty)
    }

    @Test func everyBitOfABufferVaries() throws {
        var ones = [UInt8](repeating: 0, count: 24)
        var zeros = ones
        for _ in 0..<64 {
            for (index, byte) in try SecureRandom.bytes(24).enumerated() {
                ones[index] |= byte
                zeros[index] |= ~byte
            }
        }
        #expect(ones.allSatisfy { $0 == 0xFF })
        #expect(zeros.allSatisfy { $0 == 0xFF })
    }

    @Test func wordsAreUniqueAcrossThreads() async throws {
        let source = RandomSource()
        let perTask = 25_000
        let words = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask { try (0..<perTask).map { _ in try source.word() } }
            }
            return try await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        // Among 200,000 words of 64 bits a chance collision has a probability of about one in a billion.
        #expect(words.count == 8 * perTask)
        #expect(!words.contains(0))
    }

    @Test func everyBitOfAWordVaries() throws {
        let source = RandomSource()
        var ones: UInt64 = 0
        var zeros: UInt64 = 0
        for _ in 0..<2_000 {
            let word = try source.word()
            ones |= word
            zeros |= ~word
        }
        #expect(ones == .max)
        #expect(zeros == .max)
    }

    @Test func twoSourcesDiffer() throws {
        #expect(try RandomSource().word() != RandomSource().word())
    }
}
