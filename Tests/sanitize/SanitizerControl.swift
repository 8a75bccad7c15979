import Testing

@testable import HTTPServer

/// A race on purpose: if the sanitizer does not report it, its silence about the rest means nothing.
@Suite struct SanitizerControl {
    private final class Number: @unchecked Sendable { var value = 0 }

    @Test func isSeen() async throws {
        let number = Number()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await offPool { for _ in 0..<100_000 { number.value &+= 1 } }
                }
            }
            try await group.waitForAll()
        }
        #expect(number.value > 0)
    }
}
