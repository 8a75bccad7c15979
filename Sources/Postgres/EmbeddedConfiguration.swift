import Glibc

/// Where a private cluster keeps its data and how it runs.
package struct EmbeddedConfiguration: Sendable {
    /// The data folder; the lock, the log and a half-made cluster lie beside it under its name with a suffix.
    package var dataFolder: String
    /// The folder of PostgreSQL's programs; nil looks in the usual places.
    package var binaries: String?
    /// Further server settings; they win over ours.
    package var settings: [(name: String, value: String)] = []
    /// Off loses data when the machine fails: for data that is thrown away anyway.
    package var isDurable = true
    private(set) var root = ""
    var isDisposable: Bool { !root.isEmpty }

    package init(dataFolder: String) {
        self.dataFolder = dataFolder
    }

    /// A cluster for tests and trials: in a folder of its own under `/tmp`, not durable, removed when stopped. Leftovers
    /// of earlier ones whose process was killed are removed too.
    package static func disposable() throws(EmbeddedError) -> EmbeddedConfiguration {
        let prefix = "assent-disposable-"
        for name in File.names(in: "/tmp") where name.hasPrefix(prefix) {
            let owner = name.dropFirst(prefix.count).prefix { $0 != "-" }
            guard let process = pid_t(owner), kill(process, 0) != 0, errno == ESRCH else { continue }
            guard let status = File.status("/tmp/\(name)"), status.st_uid == geteuid(),
                ClusterProcesses(folder: "/tmp/\(name)/data").settle(Interrupt())
            else { continue }
            if let user = try? ClusterUser.current() { SocketFolder.remove(for: "/tmp/\(name)/data", user) }
            ClusterFolder.remove("/tmp/\(name)")
        }
        guard let root = File.makeUniqueFolder("/tmp/\(prefix)\(getpid())") else {
            throw .folder("/tmp", String(cString: strerror(errno)))
        }
        chmod(root, 0o711)
        var configuration = EmbeddedConfiguration(dataFolder: root + "/data")
        configuration.root = root
        configuration.isDurable = false
        return configuration
    }

    /// The server's command line. Settings go here and not into the folder's own file, so that they follow the program.
    func command(_ binaries: String, _ folder: String, _ sockets: String) -> [String] {
        var merged: [(name: String, value: String)] = [
            ("listen_addresses", ""),
            ("port", "5432"),
            ("unix_socket_directories", sockets),
            ("unix_socket_permissions", "0700"),
            ("timezone", "UTC"),
            ("log_timezone", "UTC"),
            ("logging_collector", "off"),
            ("log_destination", "stderr"),
            ("log_line_prefix", "%m [%p] "),
            // Statements, their values and the DETAIL of errors quote callers' data.
            ("log_error_verbosity", "terse"),
            ("log_min_error_statement", "panic"),
            ("log_parameter_max_length", "0"),
            ("log_parameter_max_length_on_error", "0"),
            ("log_statement", "none"),
            ("log_min_duration_statement", "-1"),
        ]
        if !isDurable {
            merged += [("fsync", "off"), ("full_page_writes", "off"), ("synchronous_commit", "off")]
        }
        for (name, value) in settings {
            merged.removeAll { $0.name == name }
            merged.append((name, value))
        }
        return ["\(binaries)/postgres", "-D", folder] + merged.flatMap { ["-c", "\($0.name)=\($0.value)"] }
    }
}
