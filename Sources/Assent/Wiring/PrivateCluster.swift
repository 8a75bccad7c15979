#if canImport(Glibc)
    import Glibc
#endif

/// Where `--embedded` keeps its cluster, and how to find one that runs already.
enum PrivateCluster {
    /// The cluster's data folder below the data directory, as an absolute path.
    ///
    /// As root the cluster runs as another user. Where that user may not pass through the folders above, as in root's home,
    /// the cluster lies in `/var/lib/assent` and the data directory has a link to it.
    static func folder(in dataDirectory: String) throws(StartFailure) -> String {
        // Others may pass through; what lies in it is closed by itself.
        guard Files.makeFolder(dataDirectory, mode: 0o711), let path = Files.resolved(dataDirectory) else {
            throw .failed("the data directory \(dataDirectory) cannot be made")
        }
        // One that is there already is the one, wherever it lies: a new one beside it would look like an empty database.
        if let existing = Files.resolved("\(path)/postgres") { return existing }
        guard geteuid() == 0, isClosedToOthers(path) else { return "\(path)/postgres" }
        let elsewhere = "/var/lib/assent/\(name(for: path))"
        guard Files.makeFolder(elsewhere, mode: 0o711) else { throw .failed("\(elsewhere) cannot be made") }
        symlink("\(elsewhere)/postgres", "\(path)/postgres")
        return "\(elsewhere)/postgres"
    }

    /// Whether there is a cluster in the data directory, running or not.
    static func exists(in dataDirectory: String) -> Bool { Files.exists("\(dataDirectory)/postgres") }

    /// How to reach the cluster another process runs on this folder, by what PostgreSQL wrote into its lock file; nil where
    /// none runs. Lines: process, folder, start, port, socket folder.
    static func running(in folder: String) -> String? {
        guard let text = Files.readText("\(folder)/postmaster.pid") else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 5, !lines[4].isEmpty else { return nil }
        return "host=\(lines[4]) port=\(lines[3]) user=assent dbname=assent"
    }

    /// Whether some folder on the way may not be passed by everybody.
    private static func isClosedToOthers(_ path: String) -> Bool {
        var folder: String? = path
        while let here = folder {
            var status = stat()
            if stat(here, &status) == 0, status.st_mode & S_IXOTH == 0 { return true }
            folder = Files.parent(of: here)
        }
        return false
    }

    /// A folder name of its own for each data directory: FNV-1a of its path, a name and not a secret.
    static func name(for path: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
