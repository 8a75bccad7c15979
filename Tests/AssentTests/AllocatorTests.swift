import Glibc
import Testing

@testable import Assent

struct AllocatorTests {
    /// Page faults of the calling thread so far.
    private var faults: Int {
        var usage = rusage()
        getrusage(1, &usage)  // RUSAGE_THREAD, a macro
        return usage.ru_minflt
    }

    /// Takes and gives back, so many times, what a few pages of a list take.
    private func takeTurns(_ count: Int) {
        for _ in 0..<count {
            let blocks = (0..<20).compactMap { _ in malloc(100_000) }
            for block in blocks { memset(block, 1, 100_000) }
            for block in blocks { free(block) }
        }
    }

    @Test func whatWasFreedIsAtHandForTheNextRequest() {
        Allocator.keepFreedMemory()
        takeTurns(1)
        let before = faults
        takeTurns(20)
        // 2 MB are some 490 pages, taken twenty times.
        #expect(faults - before < 490)
    }
}
