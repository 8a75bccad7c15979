import AppStore

extension TrustedRoots {
    /// Reads the files that a setting names; nil where it names none.
    static func read(_ paths: [String]) throws(StartFailure) -> TrustedRoots? {
        var files: [(name: String, bytes: [UInt8])] = []
        for path in paths {
            guard let bytes = Files.read(path) else {
                throw .configuration("--app-store-root (ASSENT_APP_STORE_ROOTS): \(path) cannot be read")
            }
            files.append((path, bytes))
        }
        do throws(RootFileFault) {
            return try TrustedRoots(files: files)
        } catch {
            throw .configuration("--app-store-root (ASSENT_APP_STORE_ROOTS): \(error.sentence)")
        }
    }
}
