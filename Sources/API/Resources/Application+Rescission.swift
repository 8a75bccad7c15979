import Consent
import HTTPServer
import Representation
import Store

extension Application {
    func rescind(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let posted: PostedRescission
        do { posted = try PostedRescission(body: call.request.body) } catch { throw Problem(error) }
        return try await submit(.rescind(person: person, posted.scope, reason: posted.reason), call)
    }

    func reinstate(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        do { try EmptyBody.check(call.bodyOrEmptyObject) } catch { throw Problem(error) }
        return try await submit(.reinstate(person: person), call)
    }

    /// How consent stands now, for a repeat of a request that took it back (`isReturn`: that said the household is back).
    func standing(
        _ id: CallerID, _ scope: RescissionScope, isReturn: Bool, status: Int, _ call: Call
    ) async throws(Problem) -> Response {
        let person = try await read { () async throws(StoreFailure) in try await store.person(call.app, id) }
        let known = try await read { () async throws(StoreFailure) in
            try await store.rescissions(call.app, person: id)
        }
        guard let person, let known else { throw Problem(.personNotFound) }
        let standing = ConsentStanding(person, scope, known, at: person.updatedAt)
        return isReturn ? .reinstated(standing, status: status) : .rescinded(standing, status: status)
    }
}

extension Response {
    static func rescinded(_ standing: ConsentStanding, status: Int) -> Response {
        json(status) {
            $0.rescindedStanding(standing.person, scope: standing.scope, ended: standing.ended)
        }
    }

    static func reinstated(_ standing: ConsentStanding, status: Int) -> Response {
        json(status) {
            $0.reinstatedStanding(standing.person, ended: standing.ended)
        }
    }
}
