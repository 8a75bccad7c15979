/// What a log line and the metrics need of an exchange that is over; neither target nor address, which may name a child.
package struct ExchangeRecord: Sendable, Hashable {
    /// How an exchange ended.
    package enum Ending: String, Sendable, Hashable {
        /// The handler's answer was sent.
        case answered
        /// The server's own answer to a fault was sent.
        case refused
        /// The connection was lost before the answer was out.
        case clientGone
        /// The socket was shut for passing a deadline, or the server stopped before the request was whole.
        case timedOut
    }

    /// Absent when the request ended before its head was read.
    package let method: Method?
    /// The template the response named.
    package let route: String?
    /// 0 when nothing was answered, which over TLS is also what becomes of a refusal that could only go past the library.
    package let status: Int
    /// From the request line to the last byte of the response handed to the kernel, in microseconds.
    package let micros: Int64
    /// Bytes of body read.
    package let bytesIn: Int
    /// Bytes of body sent.
    package let bytesOut: Int
    package let id: String
    package let ending: Ending

    package init(
        method: Method?, route: String?, status: Int, micros: Int64, bytesIn: Int, bytesOut: Int, id: String,
        ending: Ending
    ) {
        self.method = method
        self.route = route
        self.status = status
        self.micros = micros
        self.bytesIn = bytesIn
        self.bytesOut = bytesOut
        self.id = id
        self.ending = ending
    }
}
