/// Who may import whom: the table the whole shape of the program rests on.
enum Rooms {
    /// Each room with the rooms and C modules it may import.
    static let imports: [String: Set<String>] = [
        "Consent": [],
        "JSON": ["CJansson"],
        "Crypto": ["COpenSSL"],
        "PlayStore": ["JSON"],
        "Postgres": ["CLibPQ"],
        "HTTPServer": ["CMicrohttpd"],
        "Representation": ["Consent", "JSON"],
        "AppStore": ["Crypto", "JSON"],
        "Store": ["Consent", "JSON", "Postgres"],
        "Workers": ["Consent", "Store", "Representation", "Crypto", "CCurl"],
        "API": [
            "Consent", "JSON", "Crypto", "Postgres", "HTTPServer", "Representation", "AppStore", "PlayStore", "Store",
        ],
        "Assent": [
            "Consent", "JSON", "Crypto", "Postgres", "HTTPServer", "Representation", "AppStore", "PlayStore", "Store",
            "Workers",
            "API", "CJemalloc",
        ],
    ]

    /// System libraries: a module map and a header each.
    static let cModules: Set<String> = ["CMicrohttpd", "CLibPQ", "COpenSSL", "CCurl", "CJansson", "CJemalloc"]

    /// What any room may import besides: the toolchain's own.
    static let toolchain: Set<String> = ["Swift", "Synchronization", "FoundationEssentials", "Glibc"]
}
