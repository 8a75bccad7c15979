import Foundation

/// What `Package.swift` declares, as SwiftPM itself understands it.
struct Manifest {
    /// Names by target.
    let dependencies: [String: Set<String>]

    private struct Dump: Decodable {
        struct Target: Decodable {
            struct Dependency: Decodable {
                let byName: [String?]?
            }

            let name: String
            let dependencies: [Dependency]
        }

        let targets: [Target]
    }

    static func read() throws -> Manifest {
        let swift = Process()
        swift.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A scratch path of its own: the test runner holds the lock of the usual one.
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("assent-manifest-\(getpid())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        swift.arguments = [
            "swift", "package", "--package-path", SourceTree.root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        let pipe = Pipe()
        swift.standardOutput = pipe
        try swift.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        swift.waitUntilExit()
        let dump = try JSONDecoder().decode(Dump.self, from: output)
        return Manifest(
            dependencies: Dictionary(
                dump.targets.map { ($0.name, Set($0.dependencies.compactMap { $0.byName?.first ?? nil })) },
                uniquingKeysWith: { first, _ in first }))
    }
}
