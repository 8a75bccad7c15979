import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func putChange(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .changeNotFound)
        let precondition = try Conditions.precondition(call.request.headers, inAnyLanguage: true)
        let settings: ChangeSettings
        do { settings = try ChangeSettings(body: call.request.body) } catch { throw Problem(error) }
        return try await submit(.putChange(id, settings, precondition), call)
    }

    func getChange(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .changeNotFound)
        let change = try await read { () async throws(StoreFailure) in try await store.change(call.app, id) }
        guard let change else { throw Problem(.changeNotFound) }
        let language = change.settings.text(for: AcceptLanguage.languages(call.request.headers))?.language
        let response = Response.change(change, status: 200, for: call.request)
        let isCurrent = try Conditions.isCurrent(EntityTag.of(change, in: language), call.request.headers)
        return isCurrent ? .notModified(response) : response
    }

    func withdrawChange(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .changeNotFound)
        let withdrawal: PostedWithdrawal
        do { withdrawal = try PostedWithdrawal(body: call.bodyOrEmptyObject) } catch { throw Problem(error) }
        return try await submit(.withdrawChange(id, reason: withdrawal.reason), call)
    }

    func readProgress(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .changeNotFound)
        let found = try await read { () async throws(StoreFailure) in try await store.progress(call.app, change: id) }
        guard let found else { throw Problem(.changeNotFound) }
        return .json(200) {
            $0.progress(
                of: id, persons: found.persons, questions: found.questions, acknowledged: found.acknowledged)
        }
    }

    /// A read, though it is posted: nothing is written, so a retry under the same key is answered like the first.
    func previewChange(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        try Conditions.refuse(call.request.headers)
        _ = try IdempotencyHeader.key(of: call.request, caller: call.caller)
        let settings: ChangeSettings
        do { settings = try ChangeSettings(body: call.request.body) } catch { throw Problem(error) }
        let preview = try await read { () async throws(StoreFailure) in try await store.preview(call.app, settings) }
        guard let preview else { throw Problem(.appNotFound) }
        return .json(200) { $0.preview(preview, warnings: settings.warnings(id: nil)) }
    }

    func listChanges(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query("cursor", "limit")
        let limit = try query.limit()
        var after: CallerID?
        if let cursor = query.text("cursor") {
            after = Cursor.id(cursor).flatMap { CallerID($0) }
            guard after != nil else { throw .foreignCursor() }
        }
        let page = try await read { () async throws(StoreFailure) in
            try await store.changes(call.app, after: after, limit: limit)
        }
        let next = page.more ? page.rows.last.map { Cursor.write($0.id.text) } : nil
        return .json(200, capacity: 512 * (page.rows.count + 1)) { writer in
            writer.page(page.rows, nextCursor: next) { $0.change($1) }
        }
    }
}
