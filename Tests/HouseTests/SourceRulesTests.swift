import Foundation
import Testing

/// Rules of the house that a reader should be able to rely on without looking.
struct SourceRulesTests {
    /// Files that may be longer than 300 lines (tests: 400), each with the reason.
    private static let longFiles: [String: String] = [:]

    /// Files that hold several small things which are read together, or extensions of the toolchain's types.
    private static let collections: Set<String> = [
        "Sources/Store/Surface/Queries.swift", "Sources/Store/Surface/Records.swift",
        "Sources/Store/Tables/Column.swift",
        "Sources/HTTPServer/FieldBytes.swift",
    ]

    /// What may not stand in a source file, because it traps on a surprise or says that something is unfinished.
    private static let forbidden = [
        "fatalError", "try!", "preconditionFailure", "as!", "unsafelyUnwrapped", "TO" + "DO", "FIX" + "ME", "XX" + "X",
        "HA" + "CK", "not imple" + "mented", "unimple" + "mented", "place" + "holder",
    ]

    /// Marks that switch the compiler's checks off: each needs its reason beside it.
    private static let unsafeMarks = ["@unchecked Sendable", "nonisolated(unsafe)"]

    @Test func filesStayShort() throws {
        for file in try SourceTree.files(under: "Sources") + SourceTree.files(under: "Tests") {
            let count = file.lines.count
            let limit = file.path.hasPrefix("Tests/") ? 400 : 300
            #expect(count <= limit || Self.longFiles[file.path] != nil, "\(file) has \(count) lines")
        }
    }

    @Test func exceptionsStillExist() throws {
        for path in Self.longFiles.keys {
            #expect(
                try SourceTree.file(path).lines.count > (path.hasPrefix("Tests/") ? 400 : 300),
                "\(path) needs no exception any more")
        }
    }

    @Test func nothingTrapsOrIsLeftOpen() throws {
        for file in try SourceTree.files(under: "Sources") {
            for (index, line) in file.lines.enumerated() {
                for word in Self.forbidden where line.contains(word) {
                    Issue.record("\(file):\(index + 1) has '\(word)'")
                }
            }
        }
    }

    @Test func unsafeMarksHaveTheirReasonBeside() throws {
        for file in try SourceTree.files(under: "Sources") {
            let lines = file.lines
            for (index, line) in lines.enumerated() where Self.unsafeMarks.contains(where: { line.contains($0) }) {
                if line.trimmingCharacters(in: .whitespaces).hasPrefix("//") { continue }
                let above = lines[max(0, index - 6)..<index].contains {
                    $0.trimmingCharacters(in: .whitespaces).hasPrefix("//")
                }
                #expect(line.contains("//") || above, "\(file):\(index + 1) gives no reason")
            }
        }
    }

    @Test func filesAreNamedAfterSomethingInThem() throws {
        for file in try SourceTree.files(under: "Sources") {
            let name = String(file.path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
            let subject = String(name.split(separator: "+").first ?? "")
            let vague = ["Utils", "Utilities", "Helper", "Helpers", "Manager", "Common", "Misc"]
            #expect(!vague.contains { name.hasSuffix($0) }, "\(file) says nothing by its name")
            if name.contains("+") || Self.collections.contains(file.path) { continue }
            #expect(file.text.contains(subject), "\(file) declares nothing called \(subject)")
        }
    }

    @Test func nothingWiderThanThePackage() throws {
        for file in try SourceTree.files(under: "Sources") {
            for (index, line) in file.lines.enumerated() {
                let words = line.split(separator: " ")
                #expect(words.first != "public" && words.first != "open", "\(file):\(index + 1)")
            }
        }
    }

    @Test func noFileKnowsThisMachine() throws {
        let paths = ["/" + "work/", "/" + "root/", "/tmp/" + "plan", "/ho" + "me/"]
        let readable = ["swift", "md", "sql", "yml", "yaml", "py", "sh", "txt", "json", "h", "lua"]
        for path in try SourceTree.trackedFiles() {
            let name = path.split(separator: "/").last ?? ""
            let known =
                readable.contains { path.hasSuffix(".\($0)") } || ["Makefile", "Dockerfile", "run"].contains(name)
            guard known, let file = try? SourceTree.file(path) else { continue }
            for word in paths { #expect(!file.text.contains(word), "\(path) names '\(word)'") }
        }
    }
}
