import Synchronization

@testable import HTTPServer

/// Answers by closure, refuses with the fault's kind as the body, and remembers every record.
final class TestResponder: Responder {
    private let limit: Int
    private let handler: @Sendable (Request) async -> Response
    private let state = Mutex<
        (records: [ExchangeRecord], waiters: [(count: Int, resume: CheckedContinuation<Void, Never>)])
    >(
        ([], []))

    init(limit: Int = 65_536, _ handler: @escaping @Sendable (Request) async -> Response = TestResponder.echo) {
        self.limit = limit
        self.handler = handler
    }

    /// Method, segments, query and body, as text.
    @Sendable static func echo(_ request: Request) async -> Response {
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let text =
            "\(request.method.text) [\(request.path.joined(separator: "|"))] [\(query)] "
            + String(decoding: request.body, as: UTF8.self)
        return Response(
            status: 200, headers: [HeaderField("Content-Type", "text/plain")], body: Array(text.utf8), route: "/echo")
    }

    func bodyLimit(of head: RequestHead) -> Int { limit }

    func respond(to request: Request) async -> Response { await handler(request) }

    func refuse(_ fault: Fault, head: RequestHead?) -> Response {
        var headers = [HeaderField("Content-Type", "application/problem+json")]
        if let origin = head?.headers["Origin"] { headers.append(HeaderField("X-Origin", origin)) }
        if case .badHeader(let name, _) = fault { headers.append(HeaderField("X-Header", name)) }
        return Response(status: fault.status, headers: headers, body: Array(fault.kind.utf8))
    }

    func finished(_ record: ExchangeRecord) {
        let due = state.withLock { state in
            state.records.append(record)
            let due = state.waiters.filter { $0.count <= state.records.count }
            state.waiters.removeAll { $0.count <= state.records.count }
            return due
        }
        for waiter in due { waiter.resume.resume() }
    }

    /// The records, once there are at least this many.
    func records(_ count: Int) async -> [ExchangeRecord] {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                if state.records.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if ready { continuation.resume() }
        }
        return state.withLock { $0.records }
    }
}

/// A door handlers wait at; tests wait for them to come and open it.
final class Gate: Sendable {
    private struct State {
        var open = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (open, due) = state.withLock { state in
                state.arrived += 1
                if !state.open { state.waiting.append(continuation) }
                let due = state.watchers.filter { $0.count <= state.arrived }
                state.watchers.removeAll { $0.count <= state.arrived }
                return (state.open, due)
            }
            for watcher in due { watcher.resume.resume() }
            if open { continuation.resume() }
        }
    }

    /// Returns when this many have come to the gate.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                if state.arrived >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if ready { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.open = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Starts a server on a free port, runs the test against it and stops it in any case.
func withServer(
    _ responder: TestResponder = TestResponder(), grace: Duration = .seconds(5),
    _ adjust: (inout ServerConfiguration) -> Void = { _ in },
    _ test: (Server, UInt16) async throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.threads = 2
    configuration.quietTimeout = .milliseconds(1)
    adjust(&configuration)
    let server = try Server(configuration: configuration, responder: responder)
    let port = try server.start()
    do {
        try await test(server, port)
    } catch {
        await server.stop(grace: grace)
        throw error
    }
    await server.stop(grace: grace)
}
