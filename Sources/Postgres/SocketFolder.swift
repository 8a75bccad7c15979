import Glibc

/// The short private folder a cluster's socket lies in: nobody but its user and root may enter, so whoever gets to the
/// socket may use it.
struct SocketFolder: Sendable {
    let path: String

    /// A socket's path has to fit into 108 bytes, file name and lock suffix included.
    private static var longest: Int { 80 }

    /// Makes or takes again the folder that belongs to this data folder.
    init(for dataFolder: String, _ user: ClusterUser) throws(EmbeddedError) {
        if let path = Self.names(for: dataFolder, user).first(where: { Self.make($0, user) }) {
            self.path = path
            return
        }
        // Somebody else sits on that name: take one nobody can guess.
        guard let path = File.makeUniqueFolder("/tmp/assent") else {
            throw .folder("/tmp", String(cString: strerror(errno)))
        }
        self.path = path
        guard !user.isStepDown || lchown(path, user.user, user.group) == 0 else {
            throw .folder(path, String(cString: strerror(errno)))
        }
    }

    func remove() {
        for name in File.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Removes what a killed predecessor left for this data folder.
    static func remove(for dataFolder: String, _ user: ClusterUser) {
        for path in names(for: dataFolder, user) where File.status(path)?.st_uid == user.user {
            for name in File.names(in: path) { unlink("\(path)/\(name)") }
            rmdir(path)
        }
    }

    /// Where it may lie: the same places on each start.
    private static func names(for dataFolder: String, _ user: ClusterUser) -> [String] {
        var bases: [String] = []
        if !user.isStepDown, let runtime = getenv("XDG_RUNTIME_DIR") { bases.append(String(cString: runtime)) }
        bases.append("/tmp")
        return bases.map { "\($0)/assent-\(user.user)-\(hash(dataFolder))" }.filter { $0.utf8.count < longest }
    }

    /// True when the folder is there, is a real folder, is the user's and closed to others.
    private static func make(_ path: String, _ user: ClusterUser) -> Bool {
        if mkdir(path, 0o700) == 0 {
            return !user.isStepDown || lchown(path, user.user, user.group) == 0
        }
        guard let status = File.status(path), File.isFolder(status) else { return false }
        return status.st_uid == user.user && status.st_mode & 0o077 == 0
    }

    /// FNV-1a: a name, not a secret.
    static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
