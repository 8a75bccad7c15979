import Glibc

/// The system user the private cluster runs as: ours, or another when we are root, as which PostgreSQL refuses to run.
struct ClusterUser: Sendable, Equatable {
    let name: String
    let user: uid_t
    let group: gid_t
    /// We are root and step down to it.
    let isStepDown: Bool

    static func current() throws(EmbeddedError) -> ClusterUser {
        guard geteuid() == 0 else {
            let name = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? String(geteuid())
            return ClusterUser(name: name, user: geteuid(), group: getegid(), isStepDown: false)
        }
        for name in ["postgres", "nobody"] {
            guard let entry = getpwnam(name) else { continue }
            return ClusterUser(
                name: name, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid, isStepDown: true)
        }
        throw .noUser
    }

    /// The command that runs `command` as this user and has the kernel stop it with `SIGINT` (to PostgreSQL: a fast
    /// shutdown) when the thread that started it ends, however it ends.
    func wrapped(_ command: [String]) throws(EmbeddedError) -> [String] {
        guard let setpriv = Executable.find("setpriv", in: ["/usr/bin", "/bin"]) else {
            // Without it nothing ties the server to us; the next start finds and stops what was left.
            if isStepDown { throw .noUser }
            return command
        }
        var wrapper = [setpriv, "--pdeathsig", "INT"]
        if isStepDown { wrapper += ["--reuid", String(user), "--regid", String(group), "--clear-groups"] }
        return wrapper + ["--"] + command
    }

    /// The first folder on the way to `path` that this user may not pass; nil when the way is open.
    func obstacle(to path: String) -> String? {
        guard isStepDown else { return nil }
        var folder = File.parent(of: path)
        var obstacle: String?
        while let current = folder {
            if let status = File.target(current) {
                let mode = status.st_mode
                let passes =
                    status.st_uid == user
                    ? mode & S_IXUSR != 0 : status.st_gid == group ? mode & S_IXGRP != 0 : mode & S_IXOTH != 0
                if !passes { obstacle = current }
            }
            folder = File.parent(of: current)
        }
        return obstacle
    }
}
