import Glibc
import Testing

@testable import Assent

/// The program from its words to its exit code.
struct ProgramTests {
    private func run(_ words: [String], environment: [String: String] = [:]) async -> (ExitCode, Transcript) {
        let transcript = Transcript()
        let code = await Program().run(
            words, in: Surroundings(environment: environment, console: transcript, signals: SignalInbox()))
        return (code, transcript)
    }

    @Test func helpOfEveryCommandNamesAllItsFlags() async {
        for command in Program.commands {
            let (code, transcript) = await run(command.path + ["--help"])
            #expect(code == .success)
            for name in command.options.map(\.name) + command.settings.map(\.name) {
                #expect(transcript.said.contains("--\(name)"), "\(command.spelling) --help lacks --\(name)")
            }
            #expect(transcript.said.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
    }

    @Test func overviewListsEveryCommand() async {
        let (code, transcript) = await run(["--help"])
        #expect(code == .success)
        for command in Program.commands { #expect(transcript.said.contains(command.summary)) }
    }

    @Test func wrongWordsExitTwoAndSayWhereHelpIs() async {
        let (code, transcript) = await run(["serve", "--prot", "1"])
        #expect(code == .usage)
        #expect(
            transcript.complained
                == "assent: unknown flag '--prot'; did you mean '--port'?\nSee 'assent serve --help'.\n")
        #expect(transcript.said.isEmpty)
    }

    /// What the API would refuse is not stored by another way either: an origin that no browser sends would match none.
    @Test(arguments: [
        (["--origin", "https://app.example/"], "--origin"), (["--origin", "*"], "--origin"),
        (["--origin", "https://a.example", "--origin", "https://A.example"], "--origin"),
        (["--name", ""], "--name"), (["--name", "two\nlines"], "--name"),
    ])
    func anAppIsRegisteredOnlyAsTheAPIWould(words: [String], flag: String) async {
        let (code, transcript) = await run(["app", "create", "reader"] + words)
        #expect(code == .usage)
        #expect(transcript.complained.hasPrefix("assent: \(flag) must be"), "\(transcript.complained)")
    }

    @Test func theDoctorMakesNoDatabase() async {
        let directory = "/tmp/assent-doctor-\(UInt32.random(in: 0...UInt32.max))"
        defer { rmdir(directory) }
        let (code, transcript) = await run(["doctor", "--embedded", "--data-dir", directory])
        #expect(code == .success && transcript.said.contains("ok   the start will make a database in \(directory)"))
        #expect(!Files.exists(directory), "\(transcript.said)")
    }

    @Test func versionIsOneLine() async {
        let (code, transcript) = await run(["version"])
        #expect(code == .success)
        #expect(transcript.said == "assent \(Build.version)\n")
    }
}
