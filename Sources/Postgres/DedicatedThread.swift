import Glibc

/// A thread of our own for what blocks: the cooperative pool must never wait for a socket.
package enum DedicatedThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new detached thread; false when the system has none to give. Names are cut at 15 bytes.
    @discardableResult
    package static func run(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let start = Unmanaged.passRetained(Start(name, body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                DedicatedThread.name(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        if code != 0 { start.release() }
        return code == 0
    }

    /// Shows the name in profiles; glibc's own call is hidden from Swift.
    private static func name(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(name.utf8.prefix(15))
        _ = write(file, bytes, bytes.count)
        close(file)
    }
}
