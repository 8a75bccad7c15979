/// Where `--embedded` keeps its cluster, and how to find one that runs already.
enum PrivateCluster {
    /// The cluster's data folder below the data directory, as an absolute path.
    static func folder(in dataDirectory: String) throws(StartFailure) -> String {
        // Others may pass through: as root the cluster runs as another user. What lies in it is closed by itself.
        guard Files.makeFolder(dataDirectory, mode: 0o711), let path = Files.resolved(dataDirectory) else {
            throw .failed("the data directory \(dataDirectory) cannot be made")
        }
        return "\(path)/postgres"
    }

    /// How to reach the cluster another process runs on this folder, by what PostgreSQL wrote into its lock file; nil where
    /// none runs. Lines: process, folder, start, port, socket folder.
    static func running(in folder: String) -> String? {
        guard let text = Files.readText("\(folder)/postmaster.pid") else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 5, !lines[4].isEmpty else { return nil }
        return "host=\(lines[4]) port=\(lines[3]) user=assent dbname=assent"
    }
}
