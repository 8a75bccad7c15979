import Foundation

/// The checkout as files and lines, found from where this file was compiled.
enum SourceTree {
    /// Where `Package.swift` stands.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    struct File: Sendable, CustomStringConvertible {
        /// From the root, such as `Sources/Store/Surface/Reply.swift`.
        let path: String
        let text: String

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        var description: String { path }
    }

    /// Files below a folder whose names end so, in order of their paths.
    static func files(under folder: String, ending suffix: String = ".swift") throws -> [File] {
        let base = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return try walk.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) && !$0.contains("/.") }.sorted()
            .map { try file("\(folder)/\($0)") }
    }

    static func file(_ path: String) throws -> File {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        return File(path: path, text: text)
    }

    /// The folders directly below one.
    static func folders(of folder: String) throws -> [String] {
        let base = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: base.path).filter { name in
            var isFolder: ObjCBool = false
            let found = FileManager.default.fileExists(
                atPath: base.appendingPathComponent(name).path, isDirectory: &isFolder)
            return found && isFolder.boolValue && !name.hasPrefix(".")
        }.sorted()
    }

    /// What git keeps, and what it would: neither build products nor ignored files.
    static func trackedFiles() throws -> [String] {
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = [
            "git", "-c", "safe.directory=*", "-C", root.path, "ls-files", "-z", "--cached", "--others",
            "--exclude-standard",
        ]
        let pipe = Pipe()
        git.standardOutput = pipe
        try git.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\0").map(String.init)
    }
}
