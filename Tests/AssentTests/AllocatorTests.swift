import CJemalloc
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
        takeTurns(1)
        let before = faults
        takeTurns(20)
        // 2 MB are some 490 pages, taken twenty times.
        #expect(faults - before < 490)
    }

    /// Bytes the calling thread has been given by the library so far.
    private var given: UInt64 {
        var bytes: UInt64 = 0
        var size = MemoryLayout<UInt64>.size
        return mallctl("thread.allocated", &bytes, &size, nil, 0) == 0 ? bytes : 0
    }

    @Test func memoryComesFromTheLibrary() {
        let before = given
        let block = malloc(1_000_000)
        #expect(given - before >= 1_000_000)
        free(block)
        #expect(Allocator.version.hasPrefix("5."))
    }
}
