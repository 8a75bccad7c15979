import Glibc

/// The data folder of a private cluster: where it really lies, whose it is, and its first filling.
struct ClusterFolder: Sendable {
    /// The real path, with no symbolic link in it.
    let path: String
    let user: ClusterUser

    /// Where data goes when we are root and the wished place is closed to the cluster's user, as under `/root`.
    private static var shelter: String { "/var/lib/assent" }

    var logPath: String { path + ".log" }

    /// Settles where the data lies; makes the folders above it. Below a closed folder a link is left in its place.
    init(_ wished: String, _ user: ClusterUser) throws(EmbeddedError) {
        self.user = user
        let absolute = try Self.absolute(wished)
        // A link from an earlier start, or the folder itself.
        if let real = File.resolved(absolute) {
            path = real
            if let obstacle = user.obstacle(to: real) { throw .unreachable(folder: obstacle, user: user.name) }
            return
        }
        guard user.obstacle(to: absolute) != nil else {
            path = absolute
            return
        }
        let sheltered = "\(Self.shelter)/\(SocketFolder.hash(absolute))"
        guard File.makeFolders(sheltered, mode: 0o755), user.obstacle(to: sheltered + "/data") == nil else {
            throw .unreachable(folder: absolute, user: user.name)
        }
        path = sheltered + "/data"
        unlink(absolute)  // a link that leads nowhere, if anything
        guard symlink(path, absolute) == 0 else { throw .folder(absolute, String(cString: strerror(errno))) }
    }

    private static func absolute(_ wished: String) throws(EmbeddedError) -> String {
        var path = wished
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        if !path.hasPrefix("/") {
            guard let here = File.resolved(".") else { throw .folder(".", "cannot be resolved") }
            path = "\(here)/\(path)"
        }
        guard let parent = File.parent(of: path), File.makeFolders(parent, mode: 0o755),
            let real = File.resolved(parent), let name = path.split(separator: "/").last
        else { throw .folder(wished, "the folder above it cannot be made") }
        return real == "/" ? "/\(name)" : "\(real)/\(name)"
    }

    /// The major version the data was made by; nil when there is no data yet.
    var version: String? {
        File.read("\(path)/PG_VERSION").map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) }
    }

    /// Makes the cluster when there is none: beside its place and moved into it once complete, so that an interrupted
    /// start leaves nothing half made.
    func initialize(_ binaries: String, _ role: String, isDurable: Bool) throws(EmbeddedError) {
        guard version == nil else {
            guard let status = File.target(path), status.st_uid == user.user else {
                throw .folder(path, "belongs to another user than \(user.name)")
            }
            return
        }
        let fresh = path + ".new"
        Self.remove(fresh)
        guard mkdir(fresh, 0o700) == 0, !user.isStepDown || lchown(fresh, user.user, user.group) == 0 else {
            throw .folder(fresh, String(cString: strerror(errno)))
        }
        var command = [
            "\(binaries)/initdb", "--pgdata=\(fresh)", "--username=\(role)", "--encoding=UTF8", "--locale=C",
            // Who gets through the closed folder of the socket is trusted; there is no other way in.
            "--auth-local=trust", "--auth-host=reject",
        ]
        if !isDurable { command.append("--no-sync") }
        let wrapped = try user.wrapped(command)
        do throws(ProcessFailure) {
            _ = try ChildProcess.output(of: wrapped)
        } catch {
            Self.remove(fresh)
            throw .initialization(error.words)
        }
        guard rename(fresh, path) == 0 else {
            throw .folder(path, "is there and is not a cluster, or cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    /// Takes a folder away with all that is in it.
    static func remove(_ folder: String) {
        guard File.status(folder) != nil else { return }
        _ = try? ChildProcess.output(of: ["/bin/rm", "-rf", "--", folder])
    }
}
