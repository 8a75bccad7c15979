import Postgres
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Where log lines go: callers append under a mutex that also owns the counts, one thread of its own writes them out.
///
/// A caller never waits for the descriptor. Lines are written together, at most every 10 ms, so that a line costs no
/// system call of its own. Past the buffer's bound lines are dropped, counted, and the count is logged.
final class LogSink: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        var dropped = 0
        var writing = false
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    private let capacity: Int
    private let bell = Bell()

    /// - Parameter capacity: bytes that may wait to be written.
    init(descriptor: Int32 = STDERR_FILENO, capacity: Int = 4 * 1024 * 1024) {
        self.descriptor = descriptor
        self.capacity = capacity
        DedicatedThread.run("log") { self.writeForever() }
    }

    /// Takes one line without its newline.
    func append(_ line: [UInt8]) {
        let wasEmpty = state.withLock { state -> Bool in
            guard state.buffer.count + line.count < capacity else {
                state.dropped += 1
                return false
            }
            let wasEmpty = state.buffer.isEmpty
            state.buffer.append(contentsOf: line)
            state.buffer.append(0x0a)
            return wasEmpty
        }
        if wasEmpty { bell.ring() }
    }

    /// Returns once everything appended before is written, or after about a second where the other end does not read.
    func flush() {
        for _ in 0..<1000 {
            let idle = state.withLock { $0.buffer.isEmpty && !$0.writing }
            if idle { return }
            usleep(1000)
        }
    }

    private func writeForever() {
        while true {
            bell.wait()
            usleep(10_000)
            let (lines, dropped) = state.withLock { state -> ([UInt8], Int) in
                var lines: [UInt8] = []
                swap(&lines, &state.buffer)
                state.writing = true
                defer { state.dropped = 0 }
                return (lines, state.dropped)
            }
            FileDescriptor.write(lines, to: descriptor)
            if dropped > 0 { FileDescriptor.write(LogLine.dropped(dropped), to: descriptor) }
            state.withLock { $0.writing = false }
        }
    }
}
