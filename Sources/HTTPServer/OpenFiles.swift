import Glibc

/// The process's limit on open files: raised as far as it goes, and what that leaves for connections.
package struct OpenFiles: Sendable, Hashable {
    /// The soft limit after raising.
    package let soft: Int
    package let hard: Int

    /// Raises the soft limit to the hard one; keeps what it finds if that is refused.
    static func raised() -> OpenFiles {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return OpenFiles(soft: 1024, hard: 1024)
        }
        if limit.rlim_cur < limit.rlim_max {
            var wanted = limit
            wanted.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) == 0 { limit = wanted }
        }
        return OpenFiles(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
    }
}
