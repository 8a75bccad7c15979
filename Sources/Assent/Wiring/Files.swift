#if canImport(Glibc)
    import Glibc
#endif

/// The few calls on files that wiring and commands need.
enum Files {
    /// All of a file; nil where it cannot be read or is larger than 16 MiB, which nothing of ours is.
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= 16 << 20 {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
        return nil
    }

    static func readText(_ path: String) -> String? {
        read(path).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whether there is anything at the path.
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Puts a file in place in one step, readable by its owner only; false where that cannot be done.
    ///
    /// - Parameter replacing: whether one that is there already may go; else it stays, and the answer is false.
    static func writePrivately(_ text: String, to path: String, replacing: Bool = true) -> Bool {
        // Two processes, or two threads of one, may put the same file in place at once.
        let fresh = replacing ? "\(path).new" : "\(path).\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        if replacing { unlink(fresh) }
        let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        let written = FileDescriptor.write(Array(text.utf8), to: file) && fsync(file) == 0
        close(file)
        guard written, replacing ? rename(fresh, path) == 0 : link(fresh, path) == 0 && unlink(fresh) == 0 else {
            unlink(fresh)
            return false
        }
        return true
    }

    /// Makes a folder and those above it; true also where it was there.
    static func makeFolder(_ path: String, mode: mode_t) -> Bool {
        if isFolder(path) { return true }
        if let parent = parent(of: path), !parent.isEmpty, !makeFolder(parent, mode: mode) { return false }
        return mkdir(path, mode) == 0 || (errno == EEXIST && isFolder(path))
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The path without its last part; nil for the root and for a single part.
    static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The absolute path without symbolic links; nil where something on the way is missing.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
