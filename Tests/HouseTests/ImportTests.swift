import Foundation
import Testing

/// The import lines of every room against the table, and the table against the package manifest.
///
/// The compiler's own check lets through what comes in by way of a dependency, so the lines themselves are read.
struct ImportTests {
    @Test func everyRoomImportsOnlyWhatItMay() throws {
        for (room, allowed) in Rooms.imports {
            for file in try SourceTree.files(under: "Sources/\(room)") {
                for module in Self.imports(of: file) where !Rooms.toolchain.contains(module) {
                    #expect(allowed.contains(module), "\(file) imports \(module)")
                }
            }
        }
    }

    @Test func everyFolderIsARoomOfTheTable() throws {
        let folders = Set(try SourceTree.folders(of: "Sources"))
        #expect(folders == Set(Rooms.imports.keys).union(Rooms.cModules))
    }

    @Test func everyCModuleHasOneRoom() {
        for module in Rooms.cModules {
            #expect(Rooms.imports.values.count { $0.contains(module) } == 1, "\(module)")
        }
    }

    @Test func nothingImportsInCircles() {
        var settled: Set<String> = Rooms.cModules
        var open = Rooms.imports
        while let next = open.first(where: { $0.value.isSubset(of: settled) }) {
            settled.insert(next.key)
            open[next.key] = nil
        }
        #expect(open.isEmpty, "a circle among \(open.keys.sorted())")
    }

    @Test func manifestSaysTheSame() throws {
        let manifest = try Manifest.read()
        for (room, allowed) in Rooms.imports {
            let declared = try #require(manifest.dependencies[room], "Package.swift has no target \(room)")
            #expect(declared == allowed, "\(room)")
        }
    }

    @Test func cHeadersHoldNoLogic() throws {
        for module in Rooms.cModules {
            for file in try SourceTree.files(under: "Sources/\(module)", ending: ".h") {
                #expect(file.lines.count <= 120, "\(file): a shim is for what Swift cannot import")
            }
        }
    }

    /// The modules named by the import lines of a file, whatever stands before `import`.
    static func imports(of file: SourceTree.File) -> [String] {
        file.lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count else { return nil }
            let before = words[..<index]
            let modifiers: Set<Substring> = ["package", "internal", "private", "fileprivate", "public"]
            guard before.allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") }) else { return nil }
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
            var name = words[index + 1]
            if kinds.contains(name), index + 2 < words.count { name = words[index + 2] }
            return name.split(separator: ".").first.map(String.init)
        }
    }

    @Test func readsEveryFormOfImportLine() {
        let file = SourceTree.File(
            path: "x",
            text: """
                import A
                package import B
                @testable import C
                @preconcurrency internal import struct D.E
                // import F
                let text = "import G"
                """)
        #expect(Self.imports(of: file) == ["A", "B", "C", "D"])
    }
}
