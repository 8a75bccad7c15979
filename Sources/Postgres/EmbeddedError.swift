/// Why the private cluster does not run.
package enum EmbeddedError: Error, Sendable {
    /// No PostgreSQL server programs, or none of the major version the data needs.
    case noBinaries(needed: String?)
    /// PostgreSQL refuses to run as root, and there is neither a `postgres` nor a `nobody` to run as, or no `setpriv`.
    case noUser
    /// Another process runs a cluster on this folder.
    case inUse(folder: String, process: String)
    /// A folder cannot be made, or is not what it must be.
    case folder(String, String)
    /// The cluster's user cannot reach the data: a folder above it is closed to others.
    case unreachable(folder: String, user: String)
    /// `initdb` failed; its words.
    case initialization(String)
    /// The server ended while it started; the end of its log.
    case ended(String)
    /// The server did not take connections in time.
    case slow(DatabaseError?)
    /// The server runs but cannot be used.
    case database(DatabaseError)
}

extension EmbeddedError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        switch self {
        case .noBinaries(let needed?): "PostgreSQL \(needed) is not installed, and the data folder is of that version"
        case .noBinaries(nil): "no PostgreSQL server is installed (initdb and postgres; PG_BINDIR names their folder)"
        case .noUser: "PostgreSQL does not run as root: a user \"postgres\" and the program setpriv are needed"
        case .inUse(let folder, let process): "\(folder) is in use by process \(process)"
        case .folder(let path, let problem): "\(path): \(problem)"
        case .unreachable(let folder, let user): "the user \(user) cannot reach \(folder)"
        case .initialization(let words): "initdb failed: \(words)"
        case .ended(let words): "the embedded database ended while it started: \(words)"
        case .slow(let error):
            "the embedded database does not take connections" + (error.map { ": \($0)" } ?? "")
        case .database(let error): "the embedded database cannot be used: \(error)"
        }
    }

    package var debugDescription: String { description }
}
