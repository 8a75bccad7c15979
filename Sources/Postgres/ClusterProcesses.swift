import Glibc

/// The server processes that run on one data folder, whoever started them.
///
/// They are known by what they cannot help: a PostgreSQL process works in its data folder. A process id in a lock file
/// may meanwhile be somebody else's.
struct ClusterProcesses {
    /// The data folder's real path.
    let folder: String
    /// Where the server's socket lies; nil while that is not settled.
    var sockets: String?

    /// Ids of all PostgreSQL processes in the folder.
    func running() -> [pid_t] {
        File.names(in: "/proc").compactMap { pid_t($0) }.filter { process in
            guard File.linkTarget("/proc/\(process)/cwd") == folder else { return false }
            return File.linkTarget("/proc/\(process)/exe")?.split(separator: "/").last?.hasPrefix("postgres") == true
        }
    }

    /// The id in `postmaster.pid`, when such a process runs here.
    private func postmaster(among running: [pid_t]) -> pid_t? {
        guard let bytes = File.read("\(folder)/postmaster.pid") else { return nil }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return pid_t(line).flatMap { running.contains($0) ? $0 : nil }
    }

    /// Ends what was left behind: a server whose owner died is asked to stop, processes whose server died are given
    /// time to notice. Returns once the folder is quiet and no stale lock file names anybody.
    ///
    /// The lock files, the data's and the socket's, are taken away only when no process works here at all: they keep a
    /// second server from attaching beside orphans of the first. Left there, they stop a new server for as long as the
    /// killed one's process id exists, be it as a zombie nobody has reaped or as somebody else.
    func settle(_ interrupt: Interrupt) -> Bool {
        let start = MonotonicTime.now
        var signalled: Int32 = 0
        while true {
            let running = running()
            if running.isEmpty {
                unlink("\(folder)/postmaster.pid")
                if let sockets { unlink("\(sockets)/.s.PGSQL.5432.lock") }
                return true
            }
            let spent = MonotonicTime.now.since(start)
            let postmaster = postmaster(among: running)
            if spent > .seconds(15) {
                for process in running { kill(process, SIGKILL) }
            } else if spent > (postmaster == nil ? .milliseconds(200) : .seconds(10)), signalled != SIGQUIT {
                for process in running { kill(process, SIGQUIT) }
                signalled = SIGQUIT
            } else if signalled == 0, let postmaster {
                kill(postmaster, SIGINT)
                signalled = SIGINT
            }
            guard spent < .seconds(20), interrupt.sleep(for: .milliseconds(20)) else { return false }
        }
    }
}
