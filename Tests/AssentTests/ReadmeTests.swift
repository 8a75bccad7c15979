import Foundation
import Testing

@testable import Assent

/// The README's table of settings against the table the program reads.
struct ReadmeTests {
    private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("README.md")

    /// What stands between the two marks.
    private static var table: String {
        var lines = ["| flag | environment | default | |", "|---|---|---|---|"]
        for setting in Setting.table {
            let flag = "--\(setting.name)" + (setting.valueName.map { " <\($0)>" } ?? "")
            let value = setting.defaultText.isEmpty ? "" : "`\(setting.defaultText)`"
            let escaped = setting.isFlag ? "`" + flag.replacing("|", with: "\\|") + "`" : ""
            lines.append("| \(escaped) | `\(setting.environment)` | \(value) | \(setting.summary) |")
        }
        return lines.joined(separator: "\n")
    }

    @Test func showsTheSettingsThereAre() throws {
        let text = try String(contentsOf: Self.path, encoding: .utf8)
        let begin = "<!-- settings -->\n", end = "\n<!-- /settings -->"
        let start = try #require(text.range(of: begin)).upperBound
        let stop = try #require(text.range(of: end, range: text.index(before: start)..<text.endIndex)).lowerBound
        if ProcessInfo.processInfo.environment["ASSENT_WRITE_SETTINGS"] != nil {
            try (text[..<start] + Self.table + text[stop...]).write(to: Self.path, atomically: true, encoding: .utf8)
            return
        }
        #expect(
            start < stop && text[start..<stop] == Self.table,
            "the table is out of date: run this test once with ASSENT_WRITE_SETTINGS=1")
    }
}
