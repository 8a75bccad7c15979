import Consent
import Crypto
import Foundation
import HTTPServer
@testable import Postgres
import Synchronization
import Testing

@testable import Assent

/// The small parts the wiring is made of.
final class WiringTests {
    /// What the test makes lies here, below the system's temporary folder, and goes with the test.
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("assent-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    private func folder() throws -> String {
        let url = root.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    @Test func stopsInReverseAndOnce() async {
        let order = Mutex<[Int]>([])
        let closing = Closing()
        for number in 1...3 { closing.add { order.withLock { $0.append(number) } } }
        await closing.close()
        await closing.close()
        #expect(order.withLock { $0 } == [3, 2, 1])
    }

    @Test func firstSignalCountsWheneverSomebodyWaits() async {
        let early = SignalInbox()
        early.claim()
        early.deliver(15)
        early.deliver(2)
        #expect(early.received == 15)
        #expect(await early.next() == 15)

        let late = SignalInbox()
        late.claim()
        async let signal = late.next()
        try? await Task.sleep(for: .milliseconds(20))
        late.deliver(2)
        #expect(await signal == 2)
    }

    @Test func keyFilesAreForTheirOwnerOnly() throws {
        let file = KeyFile(path: try folder() + "/x.key")
        #expect(file.text == nil)
        try file.write("asnt_demo_0123456789abcdef0123456789abcdef_secret_with_parts")
        #expect(file.text == "asnt_demo_0123456789abcdef0123456789abcdef_secret_with_parts")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let id = file.text.flatMap(KeyFile.identifier)
        #expect(id == Identifier("01234567-89ab-cdef-0123-456789abcdef"))
    }

    @Test func embeddedModeKeepsAKeyOfItsOwn() throws {
        var configuration = Configuration()
        configuration.embedded = true
        configuration.dataDirectory = try folder() + "/new"
        let path = "\(configuration.dataDirectory)/secret.key"
        let names = try #require(try SecretBox.find(configuration)?.keyNames)
        #expect(names.count == 1)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try SecretBox.find(configuration)?.keyNames == names)
        configuration.secretKeys = try #require(SecretKey.list(try SecretKey.random()))
        #expect(try SecretBox.find(configuration)?.keyNames != names, "a key that is given goes before")
        configuration.secretKeys = []
        try "nothing".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: StartFailure.self) { try SecretBox.find(configuration) }
    }

    @Test func keysAreMadeOnceHoweverManyMakeThem() async throws {
        let file = SecretKeyFile(path: try folder() + "/secret.key")
        let names = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 { group.addTask { try file.keysMadeIfMissing().map(\.name) } }
            return try await group.reduce(into: Set<[[UInt8]]>()) { $0.insert($1) }
        }
        #expect(names.count == 1)
    }

    @Test func aFileOfKeysMayEndItsLine() throws {
        let file = SecretKeyFile(path: try folder() + "/keys")
        #expect(file.keys == nil)
        let key = try SecretKey.random()
        for (text, count) in [(key, 1), (key + "\n", 1), ("\(key),\(key)\r\n", 2), ("", 0), ("\n", 0), (key + " ", 0)] {
            try text.write(toFile: file.path, atomically: true, encoding: .utf8)
            #expect((file.keys?.count ?? 0) == count, "\(text)")
        }
        #expect(Files.writePrivately("other", to: file.path, replacing: false) == false)
        var configuration = Configuration()
        #expect(try SecretBox.find(configuration) == nil, "without any key everything else works")
        configuration.secretKeyFile = file.path + ".missing"
        #expect(throws: StartFailure.self) { try SecretBox.find(configuration) }
    }

    @Test(arguments: ["", "asnt", "asnt__short_x", "asnt_a_0123456789abcdef0123456789abcdeg_x", "asnt_a_b"])
    func whatIsNoKeyHasNoIdentifier(text: String) {
        #expect(KeyFile.identifier(of: text) == nil)
    }

    @Test func findsAClusterThatRunsByItsLockFile() throws {
        let folder = try folder()
        #expect(PrivateCluster.running(in: folder) == nil)
        let lock = "123\n\(folder)\n1700000000\n5432\n/tmp/socket\n\n  1 2\n"
        try lock.write(toFile: "\(folder)/postmaster.pid", atomically: true, encoding: .utf8)
        #expect(PrivateCluster.running(in: folder) == "host=/tmp/socket port=5432 user=assent dbname=assent")
    }

    @Test func aClusterThatIsThereIsTheOne() throws {
        let folder = try folder()
        let elsewhere = try self.folder()
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/postgres", withDestinationPath: elsewhere)
        #expect(try PrivateCluster.folder(in: folder) == Files.resolved(elsewhere))
    }

    @Test func resourcesMustHoldMigrations() throws {
        let folder = try folder()
        #expect(throws: StartFailure.self) { try Resources.find(folder) }
        try FileManager.default.createDirectory(atPath: "\(folder)/migrations", withIntermediateDirectories: true)
        #expect(try Resources.find(folder).contract == "\(folder)/openapi/openapi.yaml")
    }

    @Test func settingsReachTheHTTPServer() throws {
        var configuration = Configuration()
        configuration.port = 81
        configuration.httpThreads = 3
        configuration.headTimeout = .seconds(2)
        configuration.connectionLimit = 7
        let http = try ServerConfiguration(configuration)
        #expect(http.port == 81)
        #expect(http.threads == 3)
        #expect(http.headTimeout == .seconds(2))
        #expect(http.connectionLimit == 7)
        #expect(try ServerConfiguration(Configuration()).connectionLimit == nil)
        configuration.tlsCertificate = "/no/such/file"
        configuration.tlsKey = "/no/such/file"
        #expect(throws: StartFailure.self) { try ServerConfiguration(configuration) }
    }

    @Test func anOlderSchemaIsNamedWithWhatToDo() throws {
        var status = MigrationStatus()
        #expect(MigrationCheck.objection(to: status) == nil)
        status.pending = [Migration(number: 7, name: "later", sql: "")]
        #expect(MigrationCheck.objection(to: status)?.contains("7 later pending; run 'assent migrate'") == true)
        status.problem = .newer(number: 9, name: "x")
        #expect(MigrationCheck.objection(to: status)?.contains("newer") == true)
    }

    @Test func theDoctorGradesDurability() {
        var survey = DatabaseSurvey()
        survey.version = "15.4"
        survey.versionNumber = 150_004
        survey.fsync = "on"
        survey.fullPageWrites = "on"
        survey.synchronousCommit = "on"
        survey.maxConnections = 100
        survey.logErrorVerbosity = "terse"
        survey.transport = .encrypted(version: "TLSv1.3", mode: "verify-full")
        #expect(survey.findings(connections: 8).allSatisfy { $0.grade == .fine })
        survey.fsync = "off"
        survey.fullPageWrites = "off"
        survey.versionNumber = 140_000
        survey.inRecovery = true
        survey.maxConnections = 9
        #expect(survey.findings(connections: 8).count { $0.grade == .bad } == 5)
        survey.synchronousCommit = "local"
        survey.clockSkew = -3_000_000
        survey.logErrorVerbosity = "default"
        survey.logsParameters = true
        #expect(survey.findings(connections: 8).count { $0.grade == .odd } == 4)
    }

    @Test(arguments: [
        (Transport.local, Finding.Grade.fine), (.encrypted(version: "TLSv1.3", mode: "verify-full"), .fine),
        (.encrypted(version: "TLSv1.3", mode: "verify-ca"), .odd),
        (.encrypted(version: "TLSv1.3", mode: "require"), .odd),
        (.plain, .odd),
    ])
    func theDoctorSaysHowTheDatabaseIsReached(transport: Transport, grade: Finding.Grade) {
        var survey = DatabaseSurvey()
        survey.transport = transport
        #expect(survey.findings(connections: 8).first?.grade == grade)
    }
}
