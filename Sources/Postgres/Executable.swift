import Glibc

/// Finds programs.
enum Executable {
    static func find(_ name: String, in folders: [String]) -> String? {
        folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// A folder with `initdb` and `postgres` of the major version, or of the newest there is.
    ///
    /// Looks at `given` alone, or at `PG_BINDIR`, the usual places, `PATH` and where `pg_config` says.
    static func postgresFolder(_ given: String?, major: String?) throws(EmbeddedError) -> String {
        for folder in candidates(given) {
            guard access("\(folder)/initdb", X_OK) == 0, access("\(folder)/postgres", X_OK) == 0 else { continue }
            guard let major else { return folder }
            if version(of: folder) == major { return folder }
        }
        throw .noBinaries(needed: major)
    }

    private static func candidates(_ given: String?) -> [String] {
        if let given { return [given] }
        var folders: [String] = []
        if let variable = getenv("PG_BINDIR") { folders.append(String(cString: variable)) }
        let debian = "/usr/lib/postgresql"
        let versions = File.names(in: debian).sorted { Int($0) ?? 0 > Int($1) ?? 0 }
        folders += versions.map { "\(debian)/\($0)/bin" }
        folders += ["/usr/pgsql/bin", "/usr/local/pgsql/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"]
        if let path = getenv("PATH") {
            folders += String(cString: path).split(separator: ":").map(String.init)
        }
        if let program = find("pg_config", in: folders),
            let words = try? ChildProcess.output(of: [program, "--bindir"])
        {
            folders += words.split(whereSeparator: \.isNewline).prefix(1).map(String.init)
        }
        return folders
    }

    /// The major version `postgres --version` names.
    private static func version(of folder: String) -> String? {
        guard let words = try? ChildProcess.output(of: ["\(folder)/postgres", "--version"]) else { return nil }
        let number = words.split(whereSeparator: { $0 == " " || $0.isNewline }).first { $0.first?.isNumber == true }
        return number?.split(separator: ".").first.map(String.init)
    }
}
