import CMicrohttpd

/// What libmicrohttpd asks for the pieces of a stream: it suspends the connection when there is nothing, and is resumed by its
/// loop once there is. Connections are suspended and resumed on the loop's thread only, so that neither can overtake the other.
///
/// `isSuspended` is owned by the loop's thread, the rest never changes; hence `@unchecked Sendable`.
final class StreamReader: @unchecked Sendable {
    private let stream: BodyStream
    private let loop: EventLoop
    private let handle: OpaquePointer
    private var isSuspended = false

    init(_ stream: BodyStream, _ loop: EventLoop, _ handle: OpaquePointer) {
        self.stream = stream
        self.loop = loop
        self.handle = handle
    }

    /// A response that reads from here until it is destroyed; nil if the library has no memory for it.
    func response() -> OpaquePointer? {
        let pointer = Unmanaged.passRetained(self)
        let size = UInt64.max  // not known
        let response = MHD_create_response_from_callback(
            size, 1_024, Self.onRead, pointer.toOpaque(), Self.onRelease)
        if response == nil { pointer.release() }
        return response
    }

    /// There is something to read, or the end; any thread.
    func wake() { loop.wake(self) }

    /// Lets the library ask again; the loop's thread, once it was woken.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        loop.resume(handle)
        loop.server.counters.suspended.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    private func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        switch stream.read(into: room, for: self) {
        case .bytes(let count): return count
        case .end: return Self.endOfStream
        case .broken: return Self.endWithError
        case .nothing:
            isSuspended = true
            loop.server.counters.suspended.wrappingAdd(1, ordering: .sequentiallyConsistent)
            MHD_suspend_connection(handle)
            return 0
        }
    }

    // MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR, macros that Swift does not see.
    private static let endOfStream = -1
    private static let endWithError = -2

    private static let onRead: MHD_ContentReaderCallback = { closure, _, buffer, size in
        guard let closure, let buffer else { return endWithError }
        return Unmanaged<StreamReader>.fromOpaque(closure).takeUnretainedValue()
            .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    }

    private static let onRelease: MHD_ContentReaderFreeCallback = { closure in
        if let closure { Unmanaged<StreamReader>.fromOpaque(closure).release() }
    }
}
