import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func putPerson(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .personNotFound)
        let precondition = try Conditions.precondition(call.request.headers)
        let facts: PersonFacts
        do { facts = try PersonFacts(body: call.request.body) } catch { throw Problem(error) }
        return try await submit(.putPerson(id, facts, precondition), call)
    }

    func erasePerson(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .personNotFound)
        let canceller: Canceller = call.caller.role == .admin ? .admin : .child
        return try await submit(.erase(person: id, by: canceller), call)
    }

    func getPerson(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.callerID(0, .personNotFound)
        let person = try await read { () async throws(StoreFailure) in try await store.person(call.app, id) }
        guard let person else { throw Problem(.personNotFound) }
        let isCurrent = try Conditions.isCurrent(EntityTag.of(revision: person.revision), call.request.headers)
        return isCurrent ? .notModified(.person(person, status: 200)) : .person(person, status: 200)
    }
}
