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

    private let entries: [Entry]
    private var tree = RouteTree()

    /// Of two entries with the same method and shape the first counts.
    package init(_ entries: [Entry]) {
        self.entries = entries
        for (number, entry) in entries.enumerated() { tree.insert(entry.method, entry.template, row: number) }
    }

    /// HEAD is answered by GET's route. An empty segment, so also a trailing slash, matches nothing. A literal without the
    /// method gives way to a parameter that has it.
    package func match(_ method: Method, _ path: [String]) -> Match {
        switch tree.find(method, path) {
        case .row(let number, let parameters):
            let entry = entries[number]
            return .found(entry.route, template: entry.template, parameters: parameters.map { path[$0] })
        case .otherMethods(let node): return .methodNotAllowed(allow: tree.allow(node))
        case .nothing: return .notFound
        }
    }
}
