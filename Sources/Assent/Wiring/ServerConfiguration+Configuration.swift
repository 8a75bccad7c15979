import FoundationEssentials
import HTTPServer

extension ServerConfiguration {
    /// What the settings mean to the HTTP server; reads the certificate and key.
    init(_ configuration: Configuration) throws(StartFailure) {
        self.init()
        address = configuration.host
        port = UInt16(clamping: configuration.port)
        threads = configuration.httpThreads == 0 ? Self.usualThreads : configuration.httpThreads
        connectionLimit = configuration.connectionLimit == 0 ? nil : configuration.connectionLimit
        headTimeout = configuration.headTimeout
        bodyTimeout = configuration.bodyTimeout
        totalTimeout = configuration.requestTimeout
        idleTimeout = configuration.idleTimeout
        if let certificate = configuration.tlsCertificate, let key = configuration.tlsKey {
            tls = TLS(
                certificate: try Self.text(certificate, "--tls-cert (ASSENT_TLS_CERT)"),
                key: try Self.text(key, "--tls-key (ASSENT_TLS_KEY)"))
        }
    }

    /// A thread of sockets, which reads what its requests ask for, keeps another core of PostgreSQL and callers busy.
    private static var usualThreads: Int { min(8, max(2, ProcessInfo.processInfo.activeProcessorCount / 2)) }

    private static func text(_ path: String, _ setting: String) throws(StartFailure) -> String {
        guard let text = Files.readText(path) else { throw .configuration("\(setting): \(path) cannot be read") }
        return text
    }
}
