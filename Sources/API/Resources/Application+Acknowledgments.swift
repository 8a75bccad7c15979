import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func acknowledge(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let change = try call.callerID(1, .changeNotFound)
        do { try EmptyBody.check(call.bodyOrEmptyObject) } catch { throw Problem(error) }
        return try await submit(.acknowledge(person: person, change: change), call)
    }

    func getAcknowledgment(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let change = try call.callerID(1, .acknowledgmentNotFound)
        let acknowledgment = try await read { () async throws(StoreFailure) in
            try await store.acknowledgment(call.app, person: person, change: change)
        }
        guard let acknowledgment else { throw Problem(.acknowledgmentNotFound) }
        return .acknowledgment(acknowledgment, person, status: 200)
    }

    func listAcknowledgments(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let acknowledgments = try await read { () async throws(StoreFailure) in
            try await store.acknowledgments(call.app, person: person)
        }
        guard let acknowledgments else { throw Problem(.personNotFound) }
        return .json(200, capacity: 128 * (acknowledgments.count + 1)) { writer in
            writer.page(acknowledgments, nextCursor: nil) {
                $0.acknowledgment(person: person, change: $1.change, at: $1.at)
            }
        }
    }
}
