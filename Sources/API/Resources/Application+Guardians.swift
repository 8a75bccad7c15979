import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func linkGuardian(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let guardian = try call.callerID(1, .guardianNotFound)
        do { try EmptyBody.check(call.bodyOrEmptyObject) } catch { throw Problem(error) }
        return try await submit(.link(person: person, guardian: guardian), call)
    }

    func unlinkGuardian(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let guardian = try call.callerID(1, .guardianNotFound)
        return try await submit(.unlink(person: person, guardian: guardian), call)
    }

    func listGuardians(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let links = try await read { () async throws(StoreFailure) in
            try await store.guardians(call.app, person: person)
        }
        guard let links else { throw Problem(.personNotFound) }
        return .json(200, capacity: 128 * (links.count + 1)) { writer in
            writer.page(links, nextCursor: nil) { $0.guardianLink($1) }
        }
    }
}
