import Testing

@testable import Assent

/// The command line: nothing unknown is passed over, and what is wrong is said with a hint.
struct CommandLineTests {
    private static let commands = [
        Subcommand(
            "key", "create", summary: "s",
            options: [
                Option("role", "r", required: true, "the role"), Option("origin", "o", repeats: true, "an origin"),
                Option("quiet", nil, "say less"),
            ],
            settings: Setting.databaseTable, run: { _, _ in .success }),
        Subcommand("key", "revoke", summary: "s", operands: ["id"], run: { _, _ in .success }),
        Subcommand("serve", summary: "s", settings: Setting.table, run: { _, _ in .success }),
        Subcommand("version", summary: "s", run: { _, _ in .success }),
    ]

    private func parse(_ words: String...) -> CommandLineParser.Result {
        CommandLineParser(commands: Self.commands).parse(words)
    }

    private func fault(_ words: String...) -> UsageFault? {
        guard case .fault(let fault, _) = CommandLineParser(commands: Self.commands).parse(words) else { return nil }
        return fault
    }

    @Test func readsBothSpellingsOfAFlag() throws {
        guard case .run(let invocation) = parse("serve", "--port=9000", "--host", "::1", "--embedded") else {
            Issue.record("did not parse")
            return
        }
        #expect(invocation.flags == ["port": "9000", "host": "::1", "embedded": "true"])
    }

    @Test func readsOptionsThatRepeatAndSwitches() throws {
        guard
            case .run(let invocation) = parse(
                "key", "create", "--role", "admin", "--origin", "a", "--origin=b", "--quiet")
        else {
            Issue.record("did not parse")
            return
        }
        #expect(invocation.values("origin") == ["a", "b"])
        #expect(invocation.value("role") == "admin")
        #expect(invocation.has("quiet"))
    }

    @Test func takesAValueThatStartsWithOneDash() throws {
        guard case .run(let invocation) = parse("key", "create", "--role", "-x") else {
            Issue.record("did not parse")
            return
        }
        #expect(invocation.value("role") == "-x")
    }

    @Test func endsFlagsAtTwoDashes() throws {
        guard case .run(let invocation) = parse("key", "revoke", "--", "--help") else {
            Issue.record("did not parse")
            return
        }
        #expect(invocation.operands == ["--help"])
    }

    @Test func refusesWhatItDoesNotKnow() {
        #expect(fault("help", "serv") == .unknownCommand("serv", near: ["serve"]))
        #expect(fault("serv") == .unknownCommand("serv", near: ["serve"]))
        #expect(fault("key", "creat") == .unknownCommand("key creat", near: ["key create"]))
        #expect(fault("serve", "--prot", "1") == .unknownFlag("--prot", near: ["--port"]))
        #expect(fault("serve", "-p", "1") == .unknownFlag("-p", near: []))
        #expect(fault("--port", "1") == .unknownFlag("--port", near: ["--help"]))
        #expect(fault("key", "revoke", "a", "b") == .extraOperand("b"))
    }

    @Test func refusesWhatIsIncomplete() {
        #expect(fault("key") == .missingSubcommand(group: "key", of: ["create", "revoke"]))
        #expect(fault("key", "create") == .missingOption(flag: "--role"))
        #expect(fault("key", "revoke") == .missingOperand("id"))
        #expect(fault("serve", "--port") == .missingValue(flag: "--port"))
        #expect(fault("serve", "--port", "--host", "x") == .missingValue(flag: "--port"))
    }

    @Test func refusesRepetitionAndValuesOfSwitches() {
        #expect(fault("serve", "--port", "1", "--port", "2") == .repeated(flag: "--port"))
        #expect(fault("serve", "--embedded=no") == .unexpectedValue(flag: "--embedded"))
        #expect(fault("key", "create", "--role", "a", "--role", "b") == .repeated(flag: "--role"))
    }

    @Test(
        arguments: [
            ([], []), (["--help"], []), (["help"], []), (["help", "key"], ["key"]), (["help", "serve"], ["serve"]),
            (["help", "key", "create"], ["key", "create"]), (["key", "--help"], ["key"]),
            (["serve", "--port", "-h"], ["serve"]),
            (["key", "create", "--help"], ["key", "create"]), (["serve", "--nonsense", "--help"], ["serve"]),
        ] as [([String], [String])])
    func helpWinsOverFaults(words: [String], path: [String]) {
        guard case .help(let shown) = CommandLineParser(commands: Self.commands).parse(words) else {
            Issue.record("no help for \(words)")
            return
        }
        #expect(shown == path)
    }

    @Test func countsEditsWithSwapsAsOne() {
        #expect(Spelling.distance(Array("port".utf8), Array("prot".utf8)) == 1)
        #expect(Spelling.distance(Array("".utf8), Array("abc".utf8)) == 3)
        #expect(Spelling.distance(Array("abc".utf8), Array("abc".utf8)) == 0)
        #expect(Spelling.distance(Array("serve".utf8), Array("sevr".utf8)) == 2)
    }
}
