import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func putApp(_ call: Call) async throws(Problem) -> Response {
        try call.refuseQuery()
        let precondition = try Conditions.precondition(call.request.headers)
        let settings: AppSettings
        do { settings = try AppSettings(body: call.request.body) } catch { throw Problem(error) }
        let response = try await submit(.putApp(settings, precondition), call)
        origins.forget()
        return response
    }

    func getApp(_ call: Call) async throws(Problem) -> Response {
        try call.refuseQuery()
        let app = try await read { () async throws(StoreFailure) in try await store.app(call.app) }
        guard let app else { throw Problem(.appNotFound) }
        let isCurrent = try Conditions.isCurrent(EntityTag.of(revision: app.revision), call.request.headers)
        return isCurrent ? .notModified(.app(app, status: 200)) : .app(app, status: 200)
    }

    func listApps(_ request: Request) async throws(Problem) -> Response {
        let query = try Parameters(request.query, allowing: ["cursor", "limit"])
        let limit = try query.limit()
        var after: AppID?
        if let cursor = query.text("cursor") {
            after = Cursor.id(cursor).flatMap { AppID($0) }
            guard after != nil else { throw .foreignCursor() }
        }
        let page = try await read { () async throws(StoreFailure) in
            try await store.apps(after: after, limit: limit)
        }
        let next = page.more ? page.rows.last.map { Cursor.write($0.id.text) } : nil
        return .json(200, capacity: 512 * (page.rows.count + 1)) { writer in
            writer.page(page.rows, nextCursor: next) { $0.app($1) }
        }
    }
}
