import Consent

/// Whose web origins may read an answer.
enum Audience: Sendable, Hashable {
    /// Every app's: the answer was given before a key said whose it is.
    case anyApp
    case app(AppID)
    /// An admin's answer that is about no app.
    case nobody
}

/// Every app's web origins at one moment; compared as bytes.
struct Origins: Sendable {
    private let byApp: [AppID: Set<[UInt8]>]
    private let all: Set<[UInt8]>

    init(_ apps: [AppID: [String]]) {
        byApp = apps.mapValues { Set($0.map { Array($0.utf8) }) }
        all = byApp.values.reduce(into: []) { $0.formUnion($1) }
    }

    func contains(_ origin: ArraySlice<UInt8>) -> Bool {
        all.contains(Array(origin))
    }

    func contains(_ origin: ArraySlice<UInt8>, of app: AppID) -> Bool {
        byApp[app]?.contains(Array(origin)) ?? false
    }
}
