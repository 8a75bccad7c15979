/// A complete request, its body included; a value that owes nothing to the library that read it.
package struct Request: Sendable {
    package let head: RequestHead
    package let body: [UInt8]

    package init(head: RequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    package var method: Method { head.method }
    package var target: String { head.target }
    package var path: [String] { head.path }
    package var query: [QueryItem] { head.query }
    package var headers: Headers { head.headers }
    package var id: String { head.id }
    package var peer: String { head.peer }
    package var secure: Bool { head.secure }
}
