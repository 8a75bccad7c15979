import Consent
import HTTPServer
import JSON
import PlayStore
import Representation
import Store

extension Application {
    /// Takes the list of revoked approvals that Play's console gives; the same list again changes nothing.
    func receivePlayRevocations(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        try Conditions.refuse(call.request.headers)
        // Each row is known by what it says, so a repeat under the same key is answered like the first.
        _ = try IdempotencyHeader.key(of: call.request, caller: call.caller)
        let file: RevocationFile
        do throws(RevocationFileFault) {
            file = try RevocationFile(call.request.body)
        } catch {
            throw Problem(.invalidBody, errors: error.places.map(\.fieldError))
        }
        let import_ = RevocationImport(store: store, app: call.app)
        switch await import_.run(file) {
        case .failure(.store(let failure)): throw Problem(failure)
        case .failure(.refused(let refusal, let person, let moment)):
            throw Problem(refusal, app: call.app, person: person, at: moment)
        case .success(let statuses):
            return .json(200) { $0.revocations(rows: file.rows.count, statuses) }
        }
    }
}

extension RevocationFileFault.Place {
    /// As a body's field is named: the line, then the column.
    fileprivate var fieldError: FieldError {
        FieldError(pointer: "/\(line)" + (column.map { "/\($0.rawValue)" } ?? ""), detail: detail)
    }
}
