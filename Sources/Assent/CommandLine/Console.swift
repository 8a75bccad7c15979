#if canImport(Glibc)
    import Glibc
#endif

/// Where commands write what a person reads: results to standard output, complaints to standard error.
protocol Console: Sendable {
    func say(_ text: String)
    func complain(_ text: String)
}

/// The process's own standard output and error.
struct Terminal: Console {
    func say(_ text: String) { Self.write(text, to: STDOUT_FILENO) }
    func complain(_ text: String) { Self.write(text, to: STDERR_FILENO) }

    /// Writes all of it with one newline after it; gives up where the other end is gone.
    private static func write(_ text: String, to descriptor: Int32) {
        FileDescriptor.write(Array((text + "\n").utf8), to: descriptor)
    }
}
