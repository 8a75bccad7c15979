/// Makes a connection string fit for a log: passwords and every parameter not known to be harmless become `***`.
///
/// It need not understand the string, only never show a secret in it: wherever a part could be a piece of a badly
/// escaped password, it is masked too.
enum DatabaseURLMask {
    /// Parameters whose values are no secrets; an unknown one may be.
    private static let harmless: Set<String> = [
        "host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl",
        "target_session_attrs", "application_name", "connect_timeout", "client_encoding", "gssencmode",
        "channel_binding", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count",
        "tcp_user_timeout", "load_balance_hosts",
    ]

    private static let hidden = "***"

    static func mask(_ text: String) -> String {
        guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else {
            return text.isEmpty ? text : keywords(text)
        }
        return scheme + url(text.dropFirst(scheme.count))
    }

    /// `user:password@hosts/name?parameters`. A raw `@`, `/` or `?` in a password splits it differently for everybody who
    /// reads it, so all from the first colon to the last `@` goes; and what follows that too, where it may belong to a parameter.
    private static func url(_ rest: Substring) -> String {
        var shown = ""
        var rest = rest
        if let at = rest.lastIndex(of: "@") {
            let user = rest[..<at]
            if let colon = user.firstIndex(of: ":") {
                shown += user[..<colon] + ":" + hidden + "@"
            } else {
                shown += user.contains("?") ? hidden + "@" : user + "@"
            }
            if user.contains("?") { return shown + hidden }
            rest = rest[rest.index(after: at)...]
        }
        guard let mark = rest.firstIndex(of: "?") else { return shown + rest }
        let parameters = rest[rest.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        return shown + rest[...mark] + parameters.map(parameter).joined(separator: "&")
    }

    private static func parameter(_ text: Substring) -> String {
        guard let equals = text.firstIndex(of: "=") else { return text.isEmpty ? "" : hidden }
        let name = String(text[..<equals])
        return harmless.contains(name) ? String(text) : "\(name)=\(hidden)"
    }

    /// `host=… password=…`, with blanks or line breaks between: each word that is not `harmless=value` is masked, and from the
    /// first quote or backslash on every word, for it may be a piece of a value that goes on over blanks.
    private static func keywords(_ text: String) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var isHeldTogether = false
        let words = text.utf8.split(whereSeparator: isBlank).map { bytes -> String in
            let word = String(decoding: bytes, as: UTF8.self)
            let wasHeldTogether = isHeldTogether
            isHeldTogether = isHeldTogether || bytes.contains { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") }
            guard !wasHeldTogether, let equals = word.firstIndex(of: "=") else { return hidden }
            let name = String(word[..<equals])
            return harmless.contains(name) && !isHeldTogether ? word : "\(name)=\(hidden)"
        }
        return words.joined(separator: " ")
    }
}
