import Glibc

/// The few calls on files this room needs, without Foundation.
enum File {
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// What is at the path itself; a symbolic link is not followed.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// What the path leads to.
    static func target(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

    static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.assumingMemoryBound(to: CChar.self).baseAddress.map { readlink(path, $0, bytes.count) } ?? -1
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The absolute path without symbolic links; nil when something on the way is missing.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Makes the folder and those above it.
    static func makeFolders(_ path: String, mode: mode_t) -> Bool {
        if let status = target(path) { return isFolder(status) }
        if let parent = parent(of: path), !makeFolders(parent, mode: mode) { return false }
        return mkdir(path, mode) == 0 || errno == EEXIST
    }

    /// Makes a folder for its owner alone, at the path given and a suffix nobody can guess; nil where that cannot be done, with
    /// the reason in `errno`.
    static func makeUniqueFolder(_ path: String) -> String? {
        // `mkdtemp` puts the suffix in place of six letters.
        var template = Array((path + "-" + String(repeating: "X", count: 6)).utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path without its last part; nil for the root.
    static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), path.utf8.count > 1 else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
