import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func createKey(_ call: Call) async throws(Problem) -> Response {
        try call.refuseQuery()
        let posted: PostedKey
        do { posted = try PostedKey(body: call.request.body) } catch { throw Problem(error) }
        let issued: IssuedKey
        do {
            issued = try IssuedKey(
                app: call.app, role: posted.role, label: posted.label, rateLimit: posted.rateLimit, at: clock.wall())
        } catch {
            throw Problem(.internalError)
        }
        return try await submit(.createKey(issued.stored), call, secret: issued.text)
    }

    func listKeys(_ call: Call) async throws(Problem) -> Response {
        try call.refuseQuery()
        let keys = try await read { () async throws(StoreFailure) in try await store.keys(call.app) }
        if keys.isEmpty {
            let app = try await read { () async throws(StoreFailure) in try await store.app(call.app) }
            guard app != nil else { throw Problem(.appNotFound) }
        }
        return .json(200, capacity: 256 * (keys.count + 1)) { writer in
            writer.page(keys, nextCursor: nil) { $0.apiKey($1) }
        }
    }

    func revokeKey(_ call: Call) async throws(Problem) -> Response {
        try call.refuseQuery()
        let id = try call.identifier(1, .keyNotFound)
        let response = try await submit(.revokeKey(id), call)
        authenticator.forget(id)
        return response
    }
}
