/// How the words of a session travel.
package enum Transport: Sendable, Equatable {
    /// Through a socket of this host: nobody else sees them.
    case local
    /// Over a network, readable on the way.
    case plain
    /// Under TLS of that version, as libpq names it (`TLSv1.3`); how much of the certificate is checked, `mode` says
    /// (`sslmode`): only `verify-full` checks that it is the host's.
    case encrypted(version: String, mode: String)
}
