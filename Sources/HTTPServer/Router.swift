/// A table of routes, matched segment by segment on bytes; where a literal and a parameter both fit, the literal wins.
package struct Router<Route: Sendable>: Sendable {
    /// One row of the table.
    package struct Entry: Sendable {
        package let method: Method
        /// `/v1/questions/{id}/answers`: whole segments are literals or parameters in braces.
        package let template: String
        package let route: Route

        package init(_ method: Method, _ template: String, _ route: Route) {
            self.method = method
            self.template = template
            self.route = route
        }
    }

    /// What a method and a path come to.
    package enum Match: Sendable {
        /// `parameters` are the decoded segments under braces, in order, never empty.
        case found(Route, template: String, parameters: [String])
        /// The path is known, the method is not; `allow` is what the `Allow` header says, OPTIONS included.
        case methodNotAllowed(allow: [Method])
        case notFound
    }

    private struct Node: Sendable {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var parameter: Int?
        var entries: [Entry] = []
    }

    private var nodes = [Node()]

    /// Of two entries with the same method and shape the first counts.
    package init(_ entries: [Entry]) {
        for entry in entries { insert(entry) }
    }

    /// HEAD is answered by GET's route. An empty segment, so also a trailing slash, matches nothing. A literal without the
    /// method gives way to a parameter that has it.
    package func match(_ method: Method, _ path: [String]) -> Match {
        var fitting: [(node: Int, parameters: [String])] = []
        find(path[...], from: 0, [], &fitting)
        for (node, parameters) in fitting {
            let entries = nodes[node].entries
            let entry =
                entries.first { $0.method == method }
                ?? (method == .head ? entries.first { $0.method == .get } : nil)
            if let entry { return .found(entry.route, template: entry.template, parameters: parameters) }
        }
        // What is allowed is told of the literal: that an id happens to be the same word is its exception.
        guard let (node, _) = fitting.first else { return .notFound }
        return .methodNotAllowed(allow: allow(nodes[node].entries))
    }

    private func allow(_ entries: [Entry]) -> [Method] {
        var methods: [Method] = []
        for entry in entries {
            methods.append(entry.method)
            if entry.method == .get, !entries.contains(where: { $0.method == .head }) { methods.append(.head) }
        }
        if !methods.contains(.options) { methods.append(.options) }
        return methods
    }

    /// Every node that the path leads to, the more literal first.
    private func find(
        _ path: ArraySlice<String>, from node: Int, _ parameters: [String],
        _ fitting: inout [(node: Int, parameters: [String])]
    ) {
        guard let segment = path.first else {
            if !nodes[node].entries.isEmpty { fitting.append((node, parameters)) }
            return
        }
        if let literal = nodes[node].literals.first(where: { $0.bytes.elementsEqual(segment.utf8) }) {
            find(path.dropFirst(), from: literal.node, parameters, &fitting)
        }
        guard let parameter = nodes[node].parameter, !segment.utf8.isEmpty else { return }
        find(path.dropFirst(), from: parameter, parameters + [segment], &fitting)
    }

    private mutating func insert(_ entry: Entry) {
        var node = 0
        for segment in entry.template.utf8.split(separator: UInt8(ascii: "/")) {
            let bytes = Array(segment)
            if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") {
                let next = nodes[node].parameter ?? newNode()
                nodes[node].parameter = next
                node = next
            } else if let literal = nodes[node].literals.first(where: { $0.bytes == bytes }) {
                node = literal.node
            } else {
                let next = newNode()
                nodes[node].literals.append((bytes, next))
                node = next
            }
        }
        nodes[node].entries.append(entry)
    }

    private mutating func newNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }
}
