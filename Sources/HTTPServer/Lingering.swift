import CMicrohttpd
import Glibc

/// A socket kept open after its answer so that unread bytes of the request do not make the kernel reset the connection and
/// with it the answer. Owned by whoever holds it; `close()` must be called once.
struct Lingering: Sendable {
    private let descriptor: Int32
    /// Whether the end of the client's bytes can still be seen; after our own shutdown it cannot.
    private let readable: Bool

    init?(duplicating descriptor: Int32, readable: Bool) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if copy < 0 { return nil }
        self.init(owning: copy, readable: readable)
    }

    init(owning descriptor: Int32, readable: Bool) {
        self.descriptor = descriptor
        self.readable = readable
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Throws away what has arrived, a bounded amount at a time. False once the client has closed or broken its side.
    func drain() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            for _ in 0..<16 {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count == 0 { return !readable }
                if count < 0 { return errno == EAGAIN || errno == EINTR }
            }
            return true
        }
    }

    func close() { _ = Glibc.close(descriptor) }
}
