/// The shape of a table of routes: the paths' segments as a tree, with the rows of the table at its nodes by number.
///
/// Apart from `Router` because it knows nothing of the routes' type: the code of a generic type that another room fills in
/// looks up its types while it runs, which for every request was a thirtieth of the server's time.
struct RouteTree: Sendable {
    /// What a path leads to.
    enum Found {
        /// The row's number, and the places of the path's segments that stand for its parameters.
        case row(Int, parameters: [Int])
        /// Rows, but none for the method; the node has them.
        case otherMethods(node: Int)
        case nothing
    }

    private struct Node: Sendable {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var parameter: Int?
        var rows: [(method: Method, number: Int)] = []
    }

    private var nodes = [Node()]

    /// HEAD is answered by GET's row. An empty segment, so also a trailing slash, matches nothing. A literal without the
    /// method gives way to a parameter that has it.
    func find(_ method: Method, _ path: [String]) -> Found {
        var parameters: [Int] = []
        var fitting: Int?
        if let row = find(method, path, at: 0, from: 0, &parameters, &fitting) {
            return .row(row, parameters: parameters)
        }
        return fitting.map { .otherMethods(node: $0) } ?? .nothing
    }

    /// What the `Allow` header says of a node, OPTIONS included.
    func allow(_ node: Int) -> [Method] {
        var methods: [Method] = []
        let rows = nodes[node].rows
        for row in rows {
            methods.append(row.method)
            if row.method == .get, !rows.contains(where: { $0.method == .head }) { methods.append(.head) }
        }
        if !methods.contains(.options) { methods.append(.options) }
        return methods
    }

    /// Looks at every node that the path leads to, the more literal first; `fitting` becomes the first that has rows, of
    /// which is told what is allowed: that an id happens to be the same word as a literal is the exception.
    private func find(
        _ method: Method, _ path: [String], at place: Int, from node: Int, _ parameters: inout [Int],
        _ fitting: inout Int?
    ) -> Int? {
        guard place < path.count else {
            let rows = nodes[node].rows
            guard !rows.isEmpty else { return nil }
            fitting = fitting ?? node
            for row in rows where row.method == method { return row.number }
            if method == .head { for row in rows where row.method == .get { return row.number } }
            return nil
        }
        let segment = path[place].utf8
        for literal in nodes[node].literals where literal.bytes.elementsEqual(segment) {
            if let row = find(method, path, at: place + 1, from: literal.node, &parameters, &fitting) { return row }
            break
        }
        guard let parameter = nodes[node].parameter, !segment.isEmpty else { return nil }
        parameters.append(place)
        if let row = find(method, path, at: place + 1, from: parameter, &parameters, &fitting) { return row }
        parameters.removeLast()
        return nil
    }

    /// Of two rows with the same method and shape the first counts.
    mutating func insert(_ method: Method, _ template: String, row: Int) {
        var node = 0
        for segment in template.utf8.split(separator: UInt8(ascii: "/")) {
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
        nodes[node].rows.append((method, row))
    }

    private mutating func newNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }
}
