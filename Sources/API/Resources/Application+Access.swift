import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func getAccess(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query("platform")
        let person = try call.callerID(0, .personNotFound)
        let platform = try query.oneOf("platform", Platform.self)
        return try await look(call) { () async throws(Problem) in
            try await read { () async throws(StoreFailure) in try await store.person(call.app, person) }
                .map { .access(personRef: $0.ref) }
        } _: { () async throws(Problem) in
            try await lookAtAccess(call, person, platform)
        }
    }

    private func lookAtAccess(_ call: Call, _ person: CallerID, _ platform: Platform?) async throws(Problem) -> Look {
        let decisions = try await read { () async throws(StoreFailure) in
            try await store.access(call.app, persons: [person])
        }
        guard let decision = decisions.first ?? nil else { throw Problem(.personNotFound) }
        var tally = AccessTally()
        tally.add(decision)
        observe(.decided(tally))
        var writer = JSONWriter(capacity: 256 + 96 * decision.changes.count)
        writer.access(decision, on: platform)
        let body = writer.finish()
        let tag = try EntityTag.of(content: body)
        let response = Response.json(200, tag: tag, capacity: body.count) { $0.raw(body) }
        guard try Conditions.isCurrent(tag, call.request.headers) else {
            return Look(response: response, isCurrent: false)
        }
        // The host's clock only says when to look again; the database's says what there is then.
        return Look(
            response: .notModified(response), isCurrent: true,
            changesIn: decision.validUntil.map { .until($0, from: clock.wall()) })
    }

    /// A read, though it is posted: nothing is written, so a retry under the same key is answered like the first.
    func decideAccess(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        try Conditions.refuse(call.request.headers)
        _ = try IdempotencyHeader.key(of: call.request, caller: call.caller)
        let posted: PostedPersons
        do { posted = try PostedPersons(body: call.request.body) } catch { throw Problem(error) }
        let decisions = try await read { () async throws(StoreFailure) in
            try await store.access(call.app, persons: posted.persons)
        }
        var tally = AccessTally()
        var changes = 0
        for decision in decisions {
            tally.add(decision ?? .unknownPerson)
            changes += decision?.changes.count ?? 0
        }
        observe(.decided(tally))
        return .json(200, capacity: 256 * (decisions.count + 1) + 96 * changes) { writer in
            writer.beginObject()
            writer.key("data")
            writer.beginArray()
            for (person, decision) in zip(posted.persons, decisions) {
                writer.access(decision ?? .unknownPerson, person: person)
            }
            writer.endArray()
            writer.endObject()
        }
    }
}
