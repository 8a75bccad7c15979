import Glibc

/// Everything that can be set about the server; the defaults are those of production.
package struct ServerConfiguration: Sendable {
    /// A certificate chain and its private key.
    package struct TLS: Sendable {
        /// The chain, leaf first, as PEM text.
        package var certificate: String
        /// The private key as PEM text.
        package var key: String
        /// GnuTLS priorities. libmicrohttpd's own default would still accept TLS 1.0.
        package var priorities: String

        package init(
            certificate: String, key: String,
            priorities: String = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE"
        ) {
            self.certificate = certificate
            self.key = key
            self.priorities = priorities
        }
    }

    /// An address in numbers, or a name that resolves to one; `::` takes IPv4 too.
    package var address = "127.0.0.1"
    /// 0 takes any free port; `start()` says which.
    package var port: UInt16 = 8080
    /// Connections waiting to be accepted; the kernel caps it (`net.core.somaxconn`).
    package var backlog: Int32 = 4096
    package var tls: TLS?
    /// Event loops, each a thread with an epoll set of its own; by default as many as processors, at most 4.
    package var threads = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)
    /// Connections held at once, or nil for what the open-files limit allows.
    package var connectionLimit: Int?
    /// File descriptors the connections must leave to everything else: database, files, sockets being closed.
    package var reservedFiles = 256
    /// Bytes libmicrohttpd sets aside per connection for head, response head and reading. It clears all of it after each
    /// request, so more costs time as well as memory. Must be at least twice `headLimit`.
    package var connectionMemory = 24 * 1024
    /// Bytes of request line and headers together; what exceeds the connection's memory is refused by the library itself.
    package var headLimit = 12 * 1024
    /// Bytes of the target.
    package var targetLimit = 8 * 1024
    /// Bytes of a body past its limit that are read and thrown away so that the refusal reaches the client.
    package var discardLimit = 1024 * 1024
    /// From the connection, or the request line of a later request, to the end of the head.
    package var headTimeout = Duration.seconds(10)
    /// From the head to the end of the body.
    package var bodyTimeout = Duration.seconds(30)
    /// From the connection or request line to the handler's answer; a request past it is answered with `Fault.deadline`.
    package var totalTimeout = Duration.seconds(60)
    /// How long a client may take to accept an answer once the total time has passed.
    package var sendTimeout = Duration.seconds(10)
    /// How long a connection may be silent between two requests.
    package var idleTimeout = Duration.seconds(60)
    /// How long a stopping server waits for a next request on connections that have none, so that each client hears
    /// `Connection: close` rather than a reset.
    package var quietTimeout = Duration.milliseconds(250)

    /// Made once for each event loop, on its thread.
    package var turns: @Sendable () -> any LoopTurns = { OnlyTurns() }

    package init() {}
}
