import Glibc
import Testing

@testable import Postgres

@Suite(.serialized, .timeLimit(.minutes(5))) struct EmbeddedClusterTests {
    /// Servers a cluster started, ended, and waits for them.
    final class Events: Sendable {
        private let monitor = Monitor()
        private let arrival = Monitor.Condition()
        nonisolated(unsafe) private var started: [Int32] = []  // under `monitor`
        nonisolated(unsafe) private var ended: [Int32] = []  // under `monitor`

        func note(_ observation: EmbeddedCluster.Observation) {
            monitor.locked {
                switch observation {
                case .started(let process): started.append(process)
                case .ended(let status): ended.append(status)
                case .cannotStart: break
                }
                arrival.broadcast()
            }
        }

        func waitForStart(number: Int) -> Int32? {
            let limit = MonotonicTime.now + .seconds(30)
            monitor.lock()
            defer { monitor.unlock() }
            while started.count < number {
                if limit <= .now { return nil }
                monitor.wait(for: arrival, until: limit)
            }
            return started[number - 1]
        }

        var statuses: [Int32] { monitor.locked { ended } }
    }

    private func temporary(_ body: (String) throws -> Void) throws {
        let folder = try #require(File.makeUniqueFolder("/tmp/assent-embedded"))
        chmod(folder, 0o755)
        defer { ClusterFolder.remove(folder) }
        try body(folder)
    }

    private func configuration(_ folder: String) -> EmbeddedConfiguration {
        var configuration = EmbeddedConfiguration(dataFolder: folder + "/pg")
        configuration.isDurable = false
        return configuration
    }

    private func connect(_ cluster: EmbeddedCluster) throws -> Connection {
        let settings = try ConnectionSettings(url: cluster.connectionString)
        let limit = MonotonicTime.now + .seconds(30)
        while MonotonicTime.now < limit {
            if let connection = try? Connection(settings) { return connection }
            Interrupt().sleep(for: .milliseconds(10))
        }
        return try Connection(settings)
    }

    private func keep(_ number: Int, in cluster: EmbeddedCluster) throws {
        try connect(cluster).execute("create table if not exists kept (n int8); insert into kept values (\(number))")
    }

    private func kept(_ cluster: EmbeddedCluster) throws -> [Int64] {
        try connect(cluster).run(Statement("kept", "select n from kept order by n")).map { try $0.int8(0) }
    }

    private func waitUntilBusy(_ cluster: EmbeddedCluster) throws {
        let connection = try connect(cluster)
        let statement = Statement(
            "busy", "select exists (select from pg_stat_activity where query like 'select count(*) from gen%')")
        while try !connection.run(statement)[0].bool(0) {}
    }

    private func isRunning(_ process: Int32) -> Bool { File.linkTarget("/proc/\(process)/exe") != nil }

    @Test func keepsItsDataAndLeavesNothingRunning() throws {
        try temporary { folder in
            for turn in 1...2 {
                let cluster = try EmbeddedCluster.start(configuration(folder))
                let process = try #require(cluster.processIdentifier)
                try keep(turn, in: cluster)
                #expect(try kept(cluster) == (1...turn).map(Int64.init))
                cluster.stop()
                cluster.stop()
                #expect(!isRunning(process))
                #expect(ClusterProcesses(folder: folder + "/pg").running().isEmpty)
            }
            // Nobody but its user gets near the data, and it listens nowhere.
            let status = try #require(File.status(folder + "/pg"))
            #expect(status.st_mode & 0o077 == 0)
            let user = try ClusterUser.current()
            #expect(status.st_uid == user.user && user.user != 0)
        }
    }

    @Test func listensOnAPrivateSocketOnlyAndLogsTersely() throws {
        try temporary { folder in
            let cluster = try EmbeddedCluster.start(configuration(folder))
            defer { cluster.stop() }
            let row = try connect(cluster).run(
                Statement(
                    "server",
                    """
                    select current_setting('listen_addresses'), current_setting('log_error_verbosity'),
                           current_setting('log_min_error_statement'), current_setting('unix_socket_directories'),
                           current_setting('server_encoding'), current_setting('lc_collate')
                    """))[0]
            #expect(try row.text(0) == "")
            #expect(try row.text(1) == "terse")
            #expect(try row.text(2) == "panic")
            let sockets = try row.text(3)
            let status = try #require(File.status(sockets))
            #expect(status.st_mode & 0o777 == 0o700)
            #expect(sockets.utf8.count + "/.s.PGSQL.5432.lock".utf8.count < 100)
            #expect(try row.text(4) == "UTF8")
            #expect(try row.text(5) == "C")
            let connection = try connect(cluster)
            try connection.execute("create table secrets (id text primary key)")
            var parameters = Parameters()
            parameters.append(text: "child-17")
            let insert = Statement("secret", "insert into secrets values ($1)", parameterTypes: [.text])
            _ = try connection.run(insert, parameters)
            #expect(throws: DatabaseError.self) { try connection.run(insert, parameters) }
            let log = String(decoding: try #require(File.read(cluster.logPath)), as: UTF8.self)
            #expect(log.contains("duplicate key"))
            #expect(!log.contains("child-17"))
            #expect(!log.contains("insert into"))
        }
    }

    @Test func secondOnOneFolderIsRefused() throws {
        try temporary { folder in
            let cluster = try EmbeddedCluster.start(configuration(folder))
            defer { cluster.stop() }
            let error = #expect(throws: EmbeddedError.self) { try EmbeddedCluster.start(configuration(folder)) }
            guard case .inUse(_, let process) = error else {
                Issue.record("refused with \(String(describing: error))")
                return
            }
            #expect(process == String(getpid()))
            try keep(1, in: cluster)
        }
    }

    @Test func killedServerIsStartedAgain() throws {
        try temporary { folder in
            let events = Events()
            let cluster = try EmbeddedCluster.start(configuration(folder), observe: events.note)
            defer { cluster.stop() }
            try keep(1, in: cluster)
            for turn in 1...3 {
                let process = try #require(events.waitForStart(number: turn))
                // A busy child outlives its server for a while and holds on to the shared memory.
                let settings = try ConnectionSettings(url: cluster.connectionString)
                let isBusy = DedicatedThread.run("busy") {
                    try? Connection(settings).execute("select count(*) from generate_series(1, 100000000)")
                }
                #expect(isBusy)
                try waitUntilBusy(cluster)
                kill(process, SIGKILL)
                #expect(events.waitForStart(number: turn + 1) != nil)
                try keep(turn + 1, in: cluster)
            }
            #expect(try kept(cluster) == [1, 2, 3, 4])
            #expect(events.statuses == [137, 137, 137])
        }
    }

    /// The owner is killed: the server is still there, then on its way down; a new owner takes over at once.
    @Test func leftoverServerIsTakenOver() throws {
        try temporary { folder in
            let user = try ClusterUser.current()
            let cluster = try EmbeddedCluster.start(configuration(folder))
            try keep(1, in: cluster)
            cluster.stop()
            // A server of nobody's, as one whose owner died without the kernel telling it.
            let binaries = try Executable.postgresFolder(nil, major: "15")
            let sockets = try SocketFolder(for: folder + "/pg", user)
            let log = try ClusterLog(folder + "/pg.log")
            let orphan = try #require(
                ChildProcess(
                    try user.wrapped(configuration(folder).command(binaries, folder + "/pg", sockets.path)),
                    output: log.descriptor))
            let process = try #require(orphan.processIdentifier)
            #expect(DedicatedThread.run("reaper") { orphan.wait() })
            while ClusterProcesses(folder: folder + "/pg").running().count < 3 {}
            let next = try EmbeddedCluster.start(configuration(folder))
            defer { next.stop() }
            #expect(!isRunning(process))
            #expect(try kept(next) == [1])
        }
    }

    /// What ties a server to us when we are killed: the kernel ends what a thread has started when the thread ends.
    @Test func kernelStopsWhatItsStarterLeaves() async throws {
        let command = try ClusterUser.current().wrapped(["/bin/sleep", "60"])
        let status: Int32 = await withCheckedContinuation { continuation in
            let isStarted = DedicatedThread.run("starter") {
                guard let child = ChildProcess(command, output: 2) else { return continuation.resume(returning: -1) }
                // Only once it is `sleep` has it asked the kernel for that.
                while File.linkTarget("/proc/\(child.processIdentifier ?? 0)/exe")?.hasSuffix("sleep") != true {}
                _ = DedicatedThread.run("waiter") { continuation.resume(returning: child.wait()) }
            }
            if !isStarted { continuation.resume(returning: -1) }
        }
        #expect(status == 128 + SIGINT)
    }

    /// A lock file that names a living process which is not a server: a reused id, as after a restarted container.
    @Test func staleLockFileIsNobody() throws {
        try temporary { folder in
            let cluster = try EmbeddedCluster.start(configuration(folder))
            try keep(1, in: cluster)
            cluster.stop()
            // The server only fears processes of its own user.
            let bystander = try #require(
                ChildProcess(try ClusterUser.current().wrapped(["/bin/sleep", "60"]), output: 2))
            let process = try #require(bystander.processIdentifier)
            while File.linkTarget("/proc/\(process)/exe")?.hasSuffix("sleep") != true {}
            defer {
                bystander.signal(SIGKILL)
                bystander.wait()
            }
            let words = Array("\(process)\n\(folder)/pg\n1700000000\n5432\n/tmp\n\n".utf8)
            let file = open("\(folder)/pg/postmaster.pid", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            _ = write(file, words, words.count)
            close(file)
            let next = try EmbeddedCluster.start(configuration(folder))
            defer { next.stop() }
            #expect(try kept(next) == [1])
            #expect(isRunning(process))
        }
    }

    @Test func halfMadeClusterIsMadeAnew() throws {
        try temporary { folder in
            mkdir(folder + "/pg.new", 0o700)
            let file = open("\(folder)/pg.new/PG_VERSION", O_WRONLY | O_CREAT, 0o600)
            close(file)
            let cluster = try EmbeddedCluster.start(configuration(folder))
            defer { cluster.stop() }
            try keep(1, in: cluster)
            #expect(File.status(folder + "/pg.new") == nil)
        }
    }

    @Test func foreignFolderIsRefused() throws {
        try temporary { folder in
            mkdir(folder + "/pg", 0o755)
            close(open("\(folder)/pg/somebody's file", O_WRONLY | O_CREAT, 0o600))
            #expect(throws: EmbeddedError.self) { try EmbeddedCluster.start(configuration(folder)) }
            #expect(File.status("\(folder)/pg/somebody's file") != nil)
        }
    }

    @Test func otherVersionIsRefused() throws {
        try temporary { folder in
            mkdir(folder + "/pg", 0o700)
            let file = open("\(folder)/pg/PG_VERSION", O_WRONLY | O_CREAT, 0o600)
            _ = write(file, "9.6\n", 4)
            close(file)
            let error = #expect(throws: EmbeddedError.self) { try EmbeddedCluster.start(configuration(folder)) }
            guard case .noBinaries("9.6") = error else {
                Issue.record("refused with \(String(describing: error))")
                return
            }
        }
    }

    @Test func badSettingSaysWhy() throws {
        try temporary { folder in
            var configuration = configuration(folder)
            configuration.settings = [("shared_buffers", "nonsense")]
            let error = #expect(throws: EmbeddedError.self) { try EmbeddedCluster.start(configuration) }
            guard case .ended(let words) = error else {
                Issue.record("refused with \(String(describing: error))")
                return
            }
            #expect(words.contains("shared_buffers"))
        }
    }

    /// Under a folder that only we may enter, as `/root`, the data lies elsewhere and a link says where.
    @Test(.enabled(if: geteuid() == 0)) func closedFolderAbove() throws {
        try temporary { folder in
            mkdir(folder + "/closed", 0o700)
            var target = ""
            for turn in 1...2 {
                let cluster = try EmbeddedCluster.start(configuration(folder + "/closed"))
                try keep(turn, in: cluster)
                #expect(try kept(cluster) == (1...turn).map(Int64.init))
                cluster.stop()
                target = try #require(File.linkTarget(folder + "/closed/pg"))
            }
            #expect(target.hasPrefix("/var/lib/assent/"))
            ClusterFolder.remove(try #require(File.parent(of: target)))
        }
    }
}
