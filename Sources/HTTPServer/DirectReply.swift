import CMicrohttpd
import Glibc

/// A response written to a socket without libmicrohttpd, which cannot answer a connection it never got or a request it still
/// reads. Always closes.
enum DirectReply {
    static func bytes(_ response: Response, id: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + response.body.count)
        let status = (200...599).contains(response.status) ? response.status : 500
        bytes += "HTTP/1.1 \(status) ".utf8
        bytes += String(cString: MHD_get_reason_phrase_for(UInt32(status))).utf8
        bytes += "\r\nDate: \(date(time(nil)))\r\nConnection: close\r\n".utf8
        for field in response.headers where field.fault == nil && !field.isReserved && !field.value.isEmpty {
            bytes += field.name.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
            bytes += "\r\n".utf8
        }
        if let id { bytes += "X-Request-Id: \(id)\r\n".utf8 }
        bytes += "Content-Length: \(response.body.count)\r\n\r\n".utf8
        bytes += response.body
        return bytes
    }

    /// One attempt that never waits: a refusal is small and the socket's buffer empty.
    static func send(_ bytes: [UInt8], to descriptor: Int32) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }

    /// RFC 9110's preferred date, `Sun, 06 Nov 1994 08:49:37 GMT`, whatever the locale.
    static func date(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[Int(parts.tm_wday) % 7]), \(padded(parts.tm_mday)) \(months[Int(parts.tm_mon) % 12]) "
            + "\(1900 + parts.tm_year) \(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec)) GMT"
    }
}
