import Glibc

/// A pipe whose reading end other threads make readable, so that a `poll` ends; it owns both ends, which never block and are not
/// handed to children. Any thread may call it.
final class Pipe: Sendable {
    /// Readable from `fill` until `empty`; -1 without descriptors to spare: then it never is.
    let descriptor: Int32
    private let writer: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends where end >= 0 {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writer = ends[1]
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if writer >= 0 { close(writer) }
    }

    func fill() {
        var byte: UInt8 = 1
        if writer >= 0 { _ = write(writer, &byte, 1) }
    }

    func empty() {
        var byte: UInt8 = 0
        if descriptor >= 0 { while read(descriptor, &byte, 1) > 0 {} }
    }
}
