import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func observeAgeRating(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let observation: AgeRatingObservation
        do { observation = try AgeRatingObservation(body: call.request.body) } catch { throw Problem(error) }
        return try await submit(.observeAgeRating(observation), call)
    }

    func listAgeRatings(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query("storefront", "environment", "cursor", "limit")
        let limit = try query.limit()
        let storefront = try query.storefront("storefront")
        let environment = try query.oneOf("environment", OriginalVersion.Environment.self)
        var after: AgeRatingScope?
        if let cursor = query.text("cursor") {
            after = Cursor.ageRating(cursor)
            guard after != nil else { throw .foreignCursor() }
        }
        let page = try await read { () async throws(StoreFailure) in
            try await store.ageRatings(
                call.app, storefront: storefront, environment: environment, after: after, limit: limit)
        }
        let next = page.more ? page.rows.last.map { Cursor.write($0.scope) } : nil
        return .json(200, capacity: 256 * (page.rows.count + 1)) { writer in
            writer.page(page.rows, nextCursor: next) { $0.ageRating($1) }
        }
    }

    func listAgeRatingHistory(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query("cursor", "limit")
        let scope = try call.ageRatingScope()
        let limit = try query.limit()
        var after = 0
        if let cursor = query.text("cursor") {
            guard let revision = Cursor.revision(cursor) else { throw .foreignCursor() }
            after = revision
        }
        let start = after
        let page = try await read { () async throws(StoreFailure) in
            try await store.ageRatingSteps(call.app, scope, after: start, limit: limit)
        }
        guard let page else { throw Problem(.ageRatingNotFound) }
        let next = page.more ? page.rows.last.map { Cursor.write(revision: $0.revision) } : nil
        return .json(200, capacity: 256 * (page.rows.count + 1)) { writer in
            writer.page(page.rows, nextCursor: next) { $0.ageRatingStep($1) }
        }
    }
}

extension Call {
    /// The path's storefront and environment; what can be neither names no rating.
    fileprivate func ageRatingScope() throws(Problem) -> AgeRatingScope {
        guard parameters.count == 2, let storefront = Storefront(parameters[0]),
            let environment = OriginalVersion.Environment(rawValue: parameters[1])
        else { throw Problem(.ageRatingNotFound) }
        return AgeRatingScope(storefront: storefront, environment: environment)
    }
}

extension Parameters {
    fileprivate func storefront(_ name: String) throws(Problem) -> Storefront? {
        guard let text = text(name) else { return nil }
        guard let storefront = Storefront(text) else {
            throw .parameter(name, "A storefront is three capital letters, such as AUS.")
        }
        return storefront
    }
}
