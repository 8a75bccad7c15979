/// The files that belong to the program: its migrations and its contract.
struct Resources: Sendable {
    /// The folder that holds `migrations/` and `openapi/`.
    let folder: String

    var migrations: String { "\(folder)/migrations" }
    var contract: String { "\(folder)/openapi/openapi.yaml" }

    /// Finds them: where the setting says; else in `share/assent` of the prefix the program is installed under; else in the
    /// checkout it was built in.
    static func find(_ setting: String?) throws(StartFailure) -> Resources {
        if let setting {
            guard Files.isFolder("\(setting)/migrations") else {
                throw .configuration("--resources (ASSENT_RESOURCES): \(setting) holds no folder 'migrations'")
            }
            return Resources(folder: setting)
        }
        guard let program = Files.resolved("/proc/self/exe") else {
            throw .failed("the program cannot tell where it is; set ASSENT_RESOURCES")
        }
        var folder = Files.parent(of: program)
        if let prefix = folder.flatMap(Files.parent), Files.isFolder("\(prefix)/share/assent/migrations") {
            return Resources(folder: "\(prefix)/share/assent")
        }
        while let here = folder {
            if Files.isFolder("\(here)/migrations"), Files.isFolder("\(here)/openapi") {
                return Resources(folder: here)
            }
            folder = Files.parent(of: here)
        }
        throw .failed("migrations and contract are not beside \(program); set ASSENT_RESOURCES to their folder")
    }
}
