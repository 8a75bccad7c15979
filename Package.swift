// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 mode, internal imports unless said otherwise, a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// A room of `Sources/` and the only rooms it may import; `Tests/HouseTests` holds the import lines against it.
func room(_ name: String, _ imports: [String]) -> Target {
    .target(name: name, dependencies: imports.map { .byName(name: $0) }, swiftSettings: strict)
}

func tests(_ name: String, _ imports: [String]) -> Target {
    .testTarget(name: name, dependencies: imports.map { .byName(name: $0) }, swiftSettings: strict)
}

let package = Package(
    name: "assent",
    products: [.executable(name: "assent", targets: ["Assent"])],
    targets: [
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])]),
        room("Consent", []),
        room("JSON", ["CJansson"]),
        room("Crypto", ["COpenSSL"]),
        room("PlayStore", ["JSON"]),
        room("Postgres", ["CLibPQ"]),
        room("HTTPServer", ["CMicrohttpd"]),
        room("Representation", ["Consent", "JSON"]),
        room("AppStore", ["Crypto", "JSON"]),
        room("Store", ["Consent", "JSON", "Postgres"]),
        room("Workers", ["Consent", "Store", "Representation", "Crypto", "CCurl"]),
        room(
            "API",
            [
                "Consent", "JSON", "Crypto", "Postgres", "HTTPServer", "Representation", "AppStore", "PlayStore",
                "Store",
            ]),
        .executableTarget(
            name: "Assent",
            dependencies: [
                "Consent", "JSON", "Crypto", "Postgres", "HTTPServer", "Representation", "AppStore", "PlayStore",
                "Store",
                "Workers",
                "API", "CJemalloc",
            ],
            swiftSettings: strict
        ),
        tests("ConsentTests", ["Consent"]),
        tests("JSONTests", ["JSON"]),
        tests("CryptoTests", ["AppStoreTestSupport", "Crypto"]),
        tests("PlayStoreTests", ["PlayStore"]),
        tests("PostgresTests", ["Postgres"]),
        tests("HTTPServerTests", ["HTTPServer"]),
        tests("RepresentationTests", ["Representation", "Consent", "JSON"]),
        .target(
            name: "TestSupport", dependencies: ["Store", "Consent", "Postgres"], path: "Tests/Support",
            swiftSettings: strict),
        .target(
            name: "AppStoreTestSupport", dependencies: ["AppStore", "Crypto", "COpenSSL"],
            path: "Tests/AppStoreSupport", swiftSettings: strict),
        tests("AppStoreTests", ["AppStoreTestSupport", "AppStore", "Crypto", "JSON"]),
        tests("StoreTests", ["TestSupport", "Store", "Consent", "JSON", "Postgres"]),
        tests("WorkersTests", ["TestSupport", "Workers", "Store", "Consent", "Crypto", "Postgres", "Representation"]),
        tests(
            "APITests",
            [
                "TestSupport", "AppStoreTestSupport", "API", "AppStore", "Consent", "JSON", "Crypto", "Postgres",
                "HTTPServer", "Representation", "Store",
            ]),
        tests(
            "AssentTests",
            ["AppStoreTestSupport", "Assent", "Consent", "Crypto", "HTTPServer", "Postgres", "Store", "Workers"]),
        tests("HouseTests", []),
    ]
)
