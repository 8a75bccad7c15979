import Glibc
import Synchronization
import Testing

@testable import AppStore

/// The threads that judge tokens: bounded, with a bounded queue, and nothing is lost.
struct VerificationThreadsTests {
    /// Lets work begin and end when the test says so.
    private final class Gate: Sendable {
        private let state = Mutex((isOpen: false, arrived: 0))

        /// Blocks the calling thread until the gate is open.
        func pass() {
            state.withLock { $0.arrived += 1 }
            while !state.withLock(\.isOpen) { sched_yield() }
        }

        func open() { state.withLock { $0.isOpen = true } }
        var arrived: Int { state.withLock(\.arrived) }
    }

    /// In which order work was done.
    private final class Order: Sendable {
        private let state = Mutex<[Int]>([])

        func add(_ number: Int) { state.withLock { $0.append(number) } }
        var numbers: [Int] { state.withLock { $0 } }
    }

    @Test func returnsWhatTheWorkReturns() async throws {
        let threads = VerificationThreads(threads: 2, queue: 100)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...50 { group.addTask { try await threads.run { number } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 1275)
        #expect(threads.waiting == 0)
    }

    @Test func pastTheQueueItIsOverloadedAtOnce() async throws {
        let threads = VerificationThreads(threads: 2, queue: 3)
        let gate = Gate()
        let accepted = (0..<5).map { number in
            Task {
                try await threads.run {
                    gate.pass()
                    return number
                }
            }
        }
        while gate.arrived < 2 || threads.waiting < 3 { await Task.yield() }
        await #expect(throws: VerificationThreads.Overloaded.self) { try await threads.run { 5 } }
        #expect(gate.arrived == 2)
        gate.open()
        for (number, task) in accepted.enumerated() { #expect(try await task.value == number) }
        #expect(try await threads.run { 6 } == 6)
    }

    @Test func oldestWorkIsDoneFirst() async throws {
        let threads = VerificationThreads(threads: 1, queue: 10)
        let gate = Gate()
        let order = Order()
        let first = Task { try await threads.run { gate.pass() } }
        while gate.arrived < 1 { await Task.yield() }
        var rest: [Task<Void, any Error>] = []
        for number in 0..<4 {
            rest.append(Task { try await threads.run { order.add(number) } })
            while threads.waiting <= number { await Task.yield() }
        }
        gate.open()
        try await first.value
        for task in rest { try await task.value }
        #expect(order.numbers == [0, 1, 2, 3])
    }

    @Test func withoutAThreadWorkIsGivenBack() async {
        let threads = VerificationThreads(threads: 1, queue: 10) { _ in false }
        await #expect(throws: VerificationThreads.Overloaded.self) { try await threads.run { 1 } }
        #expect(threads.waiting == 0)
    }

    @Test func noQueueIsAllowed() async throws {
        let threads = VerificationThreads(threads: 1, queue: 0)
        for number in 0..<200 { #expect(try await threads.run { number } == number) }
    }
}
