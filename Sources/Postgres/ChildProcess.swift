import CLibPQ
import Glibc

/// A program started by us: with a small environment, no descriptors but its three, in a session of its own, so that a
/// Ctrl-C meant for us does not reach it.
///
/// Its mutex guards the process id: a signal is never sent to an id that has been given up.
final class ChildProcess: @unchecked Sendable {  // sound: `identifier` is read and written under `monitor`
    private let monitor = Monitor()
    private var identifier: pid_t?

    /// Starts `command` (an absolute path and its arguments); both its outputs go to `output`, a descriptor.
    init?(_ command: [String], output: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        // Our own folder may be closed to the user it runs as.
        posix_spawn_file_actions_addchdir_np(&actions, "/")

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Self.newSession
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = CStrings(command)
        let environment = CStrings(["PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"])
        var identifier = pid_t()
        guard let program = command.first,
            posix_spawn(&identifier, program, &actions, &attributes, arguments.pointer, environment.pointer) == 0
        else { return nil }
        self.identifier = identifier
    }

    /// `POSIX_SPAWN_SETSID` of glibc's `spawn.h`, a macro Swift does not see.
    private static var newSession: Int32 { 0x80 }

    var processIdentifier: pid_t? { monitor.locked { identifier } }

    func signal(_ number: Int32) {
        monitor.locked {
            if let identifier { kill(identifier, number) }
        }
    }

    /// Waits for the end; the exit status, or 128 and the signal that ended it.
    @discardableResult
    func wait() -> Int32 {
        guard let process = processIdentifier else { return -1 }
        var information = siginfo_t()
        // Looks without reaping, so that the id stays taken until nobody can signal it any more.
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return monitor.locked {
            identifier = nil
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            return signal == 0 ? (status >> 8) & 0xff : 128 + signal
        }
    }

    /// Runs a command to its end and returns what it wrote; nil when it failed to start or did not exit with 0.
    static func output(of command: [String]) throws(ProcessFailure) -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ProcessFailure(words: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = ChildProcess(command, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let child else { throw ProcessFailure(words: "\(command.first ?? "") cannot be started") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(ends[0], &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        let words = String(decoding: bytes, as: UTF8.self)
        guard child.wait() == 0 else { throw ProcessFailure(words: words) }
        return words
    }
}

/// A null-terminated array of C strings, as `exec` and its kin take them; frees them at its end.
private final class CStrings {
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointer = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { (pointer + index).initialize(to: strdup(string)) }
        (pointer + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointer[index]) }
        pointer.deallocate()
    }
}

/// A command did not do its work; what it said.
struct ProcessFailure: Error {
    let words: String
}
