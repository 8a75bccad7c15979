import Synchronization

/// The body of an answer whose end is not known yet: what is written is sent as it comes, to a client that keeps up.
///
/// Any thread writes and ends it; the loop's thread reads. Its lock owns all of its state.
package final class BodyStream: Sendable {
    /// How a stream came to its end; told once.
    package enum Ending: Sendable, Hashable {
        /// Everything was sent, up to `finish`.
        case finished
        /// The client is gone, or there never was one to send it to.
        case clientGone
        /// More waited for the client than may, or it took nothing for too long.
        case tooSlow
    }

    fileprivate struct State {
        /// What waits to be sent; of the first, `sent` bytes are gone.
        var waiting: [[UInt8]] = []
        var next = 0
        var sent = 0
        var bytes = 0
        /// Bytes that the library has taken.
        var taken = 0
        /// Nothing more is taken in.
        var isFinished = false
        /// What waited was thrown away: the answer cannot be completed.
        var isCut = false
        /// The reader, where it found nothing and waits to be woken.
        var sleeper: StreamReader?
        /// When the reader last took something, or was found with nothing to take; microseconds.
        var moved = Monotonic.now()
        var ending: Ending?
        /// The writer that waits for room, and how few bytes may wait for it to go on.
        var writer: (continuation: CheckedContinuation<Bool, Never>, below: Int)?
    }

    /// Bytes that may wait for the client.
    package let limit: Int
    private let ended: @Sendable (Ending) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: how many bytes may wait for the client before it counts as too slow.
    ///   - ended: called once, on any thread, when nothing more can be sent; must not block.
    package init(limit: Int, ended: @escaping @Sendable (Ending) -> Void = { _ in }) {
        self.limit = limit
        self.ended = ended
    }

    /// Hands bytes over, in order; false when the stream is over, which they make it if they are too many. The array is kept,
    /// not copied, so one event for many readers costs its bytes once.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return state.withLock { !$0.isFinished } }
        var sleeper: StreamReader?
        var writer: CheckedContinuation<Bool, Never>?
        let verdict: (taken: Bool, ending: Ending?) = state.withLock { state in
            guard !state.isFinished else { return (false, nil) }
            sleeper = state.wake()
            guard state.bytes + bytes.count <= limit else {
                writer = state.release()
                state.cut()
                return (false, state.end(.tooSlow))
            }
            if state.bytes == 0 { state.moved = Monotonic.now() }
            state.waiting.append(bytes)
            state.bytes += bytes.count
            return (true, nil)
        }
        sleeper?.wake()
        writer?.resume(returning: false)
        if let ending = verdict.ending { ended(ending) }
        return verdict.taken
    }

    /// Waits until half of what may wait is free, for one writer who has more than fits; false when the stream is over.
    package func room() async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver: Bool? = state.withLock { state in
                if state.isFinished || state.writer != nil { return true }
                if state.bytes <= limit / 2 { return false }
                state.writer = (continuation, limit / 2)
                return nil
            }
            if let isOver { continuation.resume(returning: !isOver) }
        }
    }

    /// Whether nothing more is taken.
    package var isOver: Bool { state.withLock { $0.isFinished } }

    /// Ends the answer after what was written.
    package func finish() {
        let (sleeper, writer) = state.withLock { state in
            guard !state.isFinished else { return (nil as StreamReader?, nil as CheckedContinuation<Bool, Never>?) }
            state.isFinished = true
            return (state.wake(), state.release())
        }
        sleeper?.wake()
        writer?.resume(returning: false)
    }

    /// Throws away what waits: the connection is closed without the answer's end.
    func cut(_ ending: Ending) {
        var sleeper: StreamReader?
        var writer: CheckedContinuation<Bool, Never>?
        let told = state.withLock { state in
            sleeper = state.wake()
            writer = state.release()
            state.cut()
            return state.end(ending)
        }
        sleeper?.wake()
        writer?.resume(returning: false)
        if let told { ended(told) }
    }

    /// The exchange is over.
    func close(sent: Bool) {
        var writer: CheckedContinuation<Bool, Never>?
        let told = state.withLock { state in
            _ = state.wake()
            writer = state.release()
            state.cut()
            return state.end(sent ? .finished : .clientGone)
        }
        writer?.resume(returning: false)
        if let told { ended(told) }
    }

    /// Whether something has waited for the client since before `moment`.
    func isStalled(since moment: Int64) -> Bool { state.withLock { $0.bytes > 0 && $0.moved < moment } }

    /// Bytes that were handed to the library.
    var taken: Int { state.withLock { $0.taken } }

    /// What the reader finds.
    enum Piece {
        /// So many bytes were copied.
        case bytes(Int)
        /// Nothing; the reader is woken when there is.
        case nothing
        /// The answer is complete.
        case end
        /// The answer cannot be completed.
        case broken
    }

    /// Takes what is there, up to the room; the loop's thread only.
    func read(into room: UnsafeMutableRawBufferPointer, for reader: StreamReader) -> Piece {
        var writer: CheckedContinuation<Bool, Never>?
        let piece: Piece = state.withLock { state in
            if state.isCut { return .broken }
            if state.bytes > 0 {
                state.moved = Monotonic.now()
                let count = state.take(into: room)
                if let waiting = state.writer, state.bytes <= waiting.below { writer = state.release() }
                return .bytes(count)
            }
            if state.isFinished { return .end }
            state.sleeper = reader
            return .nothing
        }
        writer?.resume(returning: true)
        return piece
    }
}

extension BodyStream.State {
    /// Whoever is to be woken, once.
    fileprivate mutating func wake() -> StreamReader? {
        defer { sleeper = nil }
        return sleeper
    }

    /// The writer that waits for room, once.
    fileprivate mutating func release() -> CheckedContinuation<Bool, Never>? {
        defer { writer = nil }
        return writer?.continuation
    }

    fileprivate mutating func cut() {
        waiting = []
        next = 0
        sent = 0
        bytes = 0
        isFinished = true
        isCut = true
    }

    /// The ending if this is the first.
    fileprivate mutating func end(_ how: BodyStream.Ending) -> BodyStream.Ending? {
        guard ending == nil else { return nil }
        ending = how
        return how
    }

    fileprivate mutating func take(into room: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < room.count, next < waiting.count {
            let count = min(waiting[next].count - sent, room.count - filled)
            waiting[next].withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: room[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
            }
            filled += count
            sent += count
            if sent == waiting[next].count {
                waiting[next] = []
                next += 1
                sent = 0
            }
        }
        bytes -= filled
        taken += filled
        if next == waiting.count {
            waiting.removeAll(keepingCapacity: next <= 8)
            next = 0
        } else if next > 64 {
            waiting.removeFirst(next)
            next = 0
        }
        return filled
    }
}
