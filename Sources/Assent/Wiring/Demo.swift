import Consent
import Store

/// The app and keys that `--demo` provides: made once, found again at the next start.
struct Demo: Sendable {
    let store: Store
    let desk: KeyDesk
    let dataDirectory: String

    static let app = AppID(trusted: "demo")
    /// Where web/example serves its pages.
    private static let exampleOrigin = "http://localhost:8081"

    private static func serviceKey(_ directory: String) -> KeyFile { KeyFile(path: "\(directory)/demo.key") }
    private static func adminKey(_ directory: String) -> KeyFile { KeyFile(path: "\(directory)/admin.key") }

    /// Makes what is missing: the app, a service key in `demo.key`, an admin key in `admin.key`.
    func prepare() async throws(StartFailure) {
        let app = try await store.look { store throws(StoreFailure) in try await store.app(Self.app) }
        if app == nil {
            do throws(StartFailure) {
                let settings = AppSettings(name: "Demo", allowedOrigins: [Self.exampleOrigin])
                _ = try await store.carryOut(.putApp(settings, .absent), for: Self.app)
            } catch {
                // Another instance may have made it in between; anything else shows in what follows.
                guard try await exists() else { throw error }
            }
        }
        try await provide(Self.serviceKey(dataDirectory), role: .service, app: Self.app)
        try await provide(Self.adminKey(dataDirectory), role: .admin, app: nil)
    }

    private func exists() async throws(StartFailure) -> Bool {
        try await store.look { store throws(StoreFailure) in try await store.app(Self.app) } != nil
    }

    /// Keeps a key that works, else puts a new one into the file.
    private func provide(_ file: KeyFile, role: Role, app: AppID?) async throws(StartFailure) {
        if let id = file.text.flatMap(KeyFile.identifier) {
            let credential = try await store.look { store throws(StoreFailure) in try await store.credential(id) }
            if let key = credential?.key, key.revokedAt == nil, key.role == role { return }
        }
        guard Files.makeFolder(dataDirectory, mode: 0o711) else {
            throw .failed("the data directory \(dataDirectory) cannot be made")
        }
        try file.write(try await desk.issue(role, app: app, label: "demo").text)
    }

    /// What to type next, for a terminal: it works as pasted.
    static func invitation(at base: String, in directory: String) -> String {
        """

        Assent is ready. Ask a guardian something, in another terminal:

        curl -sS \(base)/v1/questions \\
          -H "Authorization: Bearer $(cat \(serviceKey(directory).path))" -H 'Content-Type: application/json' \\
          -d '{"person":"child-1","topic":{"kind":"custom","subject":"screen-time"},"description":"One more hour today"}'

        Keys: \(serviceKey(directory).path) (app 'demo'), \(adminKey(directory).path) (admin). Ctrl-C stops.

        """
    }
}
