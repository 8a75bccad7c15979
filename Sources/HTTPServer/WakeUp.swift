import CMicrohttpd
import Glibc

/// An eventfd that ends another thread's `poll`. Any thread may signal, one waits. Closed with the last reference, so that no
/// late signal can reach a stranger's descriptor.
final class WakeUp: Sendable {
    let descriptor: Int32

    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if descriptor < 0 { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func signal() { _ = eventfd_write(descriptor, 1) }

    /// Waits for a signal or the time, whichever is first.
    func wait(milliseconds: Int32) {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&poller, 1, milliseconds) > 0 { clear() }
    }

    func clear() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }
}
