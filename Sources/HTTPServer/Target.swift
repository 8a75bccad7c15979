/// A request target taken apart on its raw bytes: split first, each part decoded once, so that `%2F` never makes a segment.
struct Target: Equatable {
    var path: [String]
    var query: [QueryItem]

    /// Takes origin-form, absolute-form (its scheme and authority are dropped, RFC 9112 §3.2.2) and, for OPTIONS, `*`.
    init(parsing raw: ArraySlice<UInt8>, method: Method) throws(Fault) {
        for byte in raw where byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") {
            throw .badTarget(
                detail: byte == UInt8(ascii: "#")
                    ? "a target has no fragment" : "the target holds a byte that must be percent-encoded")
        }
        if raw.elementsEqual(CollectionOfOne(UInt8(ascii: "*"))), method == .options {
            path = ["*"]
            query = []
            return
        }
        let origin = try Self.origin(of: raw)
        let mark = origin.firstIndex(of: UInt8(ascii: "?")) ?? origin.endIndex
        path = try Self.segments(origin[..<mark])
        query = mark == origin.endIndex ? [] : try Self.items(origin[(mark + 1)...])
    }

    /// The target without scheme and authority.
    private static func origin(of raw: ArraySlice<UInt8>) throws(Fault) -> ArraySlice<UInt8> {
        if raw.first == UInt8(ascii: "/") { return raw }
        var rest = raw
        if raw.prefix(7).equalsIgnoringCase("http://") {
            rest = raw.dropFirst(7)
        } else if raw.prefix(8).equalsIgnoringCase("https://") {
            rest = raw.dropFirst(8)
        } else {
            throw .badTarget(detail: "the target must begin with a slash")
        }
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let authority = rest[..<end]
        if authority.isEmpty || authority.contains(UInt8(ascii: "@")) {
            throw .badTarget(detail: "the target's authority cannot be used")
        }
        return rest[end...]
    }

    private static func segments(_ path: ArraySlice<UInt8>) throws(Fault) -> [String] {
        guard path.count > 1 else { return [] }
        var segments: [String] = []
        segments.reserveCapacity(6)
        var start = path.startIndex + 1
        while true {
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            segments.append(try decoded(path[start..<end], plusIsSpace: false, place: "path"))
            if end == path.endIndex { return segments }
            start = end + 1
        }
    }

    private static func items(_ query: ArraySlice<UInt8>) throws(Fault) -> [QueryItem] {
        var items: [QueryItem] = []
        var start = query.startIndex
        while start < query.endIndex {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
            if end > start {
                let item = query[start..<end]
                let sign = item.firstIndex(of: UInt8(ascii: "=")) ?? end
                let name = try decoded(item[..<sign], plusIsSpace: true, place: "query")
                let value = sign == end ? "" : try decoded(item[(sign + 1)...], plusIsSpace: true, place: "query")
                items.append(QueryItem(name: name, value: value))
            }
            start = end + 1
        }
        return items
    }

    private static func decoded(
        _ part: ArraySlice<UInt8>, plusIsSpace: Bool, place: StaticString
    ) throws(Fault) -> String {
        guard part.contains(where: { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) }) else {
            return String(decoding: part, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(part.count)
        var at = part.startIndex
        while at < part.endIndex {
            let byte = part[at]
            if byte == UInt8(ascii: "%") {
                guard at + 2 < part.endIndex, let high = hexDigit(part[at + 1]), let low = hexDigit(part[at + 2]) else {
                    throw .badTarget(detail: "the \(place) holds a bad percent escape")
                }
                let value = high << 4 | low
                if value < 0x20 || value == 0x7F {
                    throw .badTarget(detail: "the \(place) holds an encoded control byte")
                }
                bytes.append(value)
                at += 3
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                at += 1
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .badTarget(detail: "the \(place) is not UTF-8 once decoded")
        }
        return text
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
