import Glibc

/// The file a private cluster's server writes to, beside its data; nobody but us and its user may read it.
final class ClusterLog: Sendable {
    /// A log larger than this at the start of a server is put aside, once.
    private static var limit: Int { 8 << 20 }

    let path: String
    let descriptor: Int32

    init(_ path: String) throws(EmbeddedError) {
        self.path = path
        if let status = File.status(path), status.st_size > Self.limit { rename(path, path + ".1") }
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .folder(path, String(cString: strerror(errno))) }
    }

    deinit {
        close(descriptor)
    }

    /// The last lines, for a message.
    var tail: String {
        let lines = (File.read(path) ?? []).suffix(4_096).split(separator: UInt8(ascii: "\n")).suffix(5)
        return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "; ")
    }
}
