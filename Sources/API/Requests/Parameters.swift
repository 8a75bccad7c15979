import Consent
import HTTPServer
import JSON

/// A request's query, read strictly: unknown and repeated names are refused, and so is every value that is not exact.
struct Parameters: Sendable {
    private let items: [QueryItem]

    /// - Parameter allowed: the names the route takes; `app` is taken wherever a route is about one app.
    init(_ items: [QueryItem], allowing allowed: [String]) throws(Problem) {
        for (index, item) in items.enumerated() {
            guard allowed.contains(where: { $0.utf8.elementsEqual(item.name.utf8) }) else {
                throw .parameter(Self.shown(item.name), "The parameter is not known here.")
            }
            if items[..<index].contains(where: { $0.name.utf8.elementsEqual(item.name.utf8) }) {
                throw .parameter(Self.shown(item.name), "The parameter is repeated.")
            }
        }
        self.items = items
    }

    func text(_ name: String) -> String? {
        items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// How many rows a page has: 50 by default, 1 or more, above 100 it is 100.
    func limit() throws(Problem) -> Int {
        guard let text = text("limit") else { return 50 }
        guard let limit = StrictInteger.parse(text.utf8), limit >= 1 else {
            throw .parameter("limit", "The limit must be an integer of at least 1.")
        }
        return min(limit, 100)
    }

    func callerID(_ name: String) throws(Problem) -> CallerID? {
        guard let text = text(name) else { return nil }
        guard let id = CallerID(text) else {
            throw .parameter(name, "An id is 1 to 128 bytes without control characters.")
        }
        return id
    }

    func moment(_ name: String) throws(Problem) -> Instant? {
        guard let text = text(name) else { return nil }
        guard let moment = RFC3339.parse(text) else {
            throw .parameter(name, "The value must be an RFC 3339 date and time with an offset; write + as %2B.")
        }
        return Instant(microseconds: moment)
    }

    func oneOf<Value: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ type: Value.Type
    ) throws(Problem) -> Value? {
        guard let text = text(name) else { return nil }
        for value in Value.allCases where value.rawValue.utf8.elementsEqual(text.utf8) { return value }
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw .parameter(name, "The value must be one of \(names).")
    }

    /// A name of the caller's, short and on one line, as a problem repeats it.
    private static func shown(_ name: String) -> String {
        let isShort = name.utf8.count <= 64
        return isShort && name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) ? name : ""
    }
}
