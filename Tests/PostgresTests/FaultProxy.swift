import Glibc
import Testing

@testable import Postgres

/// Stands between a pool and the server and loses connections around a commit.
final class FaultProxy: Sendable {
    /// What happens to the next commit that passes.
    enum Fault: Sendable {
        case none
        /// The commit never reaches the server.
        case beforeCommit
        /// The commit is answered, but the answer never reaches the client.
        case afterCommit
        /// The commit goes nowhere and nobody hears anything more, yet the connection stays.
        case silence
    }

    let settings: ConnectionSettings
    private let folder: String
    private let listener: Int32
    private let target: String
    private let monitor = Monitor()
    nonisolated(unsafe) private var faults: [Fault] = []  // under `monitor`
    nonisolated(unsafe) private var held: [Int32] = []  // under `monitor`

    init(before settings: ConnectionSettings) throws {
        let host = try #require(settings.hosts[0].host)
        target = "\(host)/.s.PGSQL.5432"
        folder = try #require(File.makeUniqueFolder("/tmp/assent-proxy"))
        self.settings = try ConnectionSettings(url: "host=\(folder) port=5432 user=assent dbname=assent")
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = Self.address("\(folder)/.s.PGSQL.5432")
        _ = Self.withAddress(address) { bind(listener, $0, $1) }
        listen(listener, 16)
        _ = DedicatedThread.run("proxy") { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                _ = DedicatedThread.run("proxy-link") { [self] in link(client) }
            }
        }
    }

    func arm(_ fault: Fault) { monitor.locked { faults.append(fault) } }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
        monitor.locked {
            for descriptor in held { Glibc.close(descriptor) }
            held = []
        }
        ClusterFolder.remove(folder)
    }

    private func link(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            Glibc.close(client)
            Glibc.close(server)
        }
        guard Self.withAddress(Self.address(target), { connect(server, $0, $1) }) == 0 else { return }
        var swallowing = false
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var entries = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            poll(&entries, 2, -1)
            if entries[0].revents != 0 {
                let count = read(client, &buffer, buffer.count)
                guard count > 0 else { return }
                if buffer[..<count].contains("\u{0}commit\u{0}") {
                    switch monitor.locked({ faults.isEmpty ? .none : faults.removeFirst() }) {
                    case .none: break
                    case .beforeCommit: return
                    case .afterCommit: swallowing = true
                    case .silence:
                        // The server's side is held open too: its transaction stays in progress.
                        monitor.locked { held += [dup(client), dup(server)] }
                        return
                    }
                }
                _ = write(server, buffer, count)
            }
            if entries[1].revents != 0 {
                let count = read(server, &buffer, buffer.count)
                guard count > 0, !swallowing else { return }
                _ = write(client, buffer, count)
            }
        }
    }

    private static func address(_ path: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }

    private static func withAddress(
        _ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        return (startIndex...(endIndex - wanted.count)).contains {
            self[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }
}
