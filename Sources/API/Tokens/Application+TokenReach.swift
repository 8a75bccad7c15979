import Consent
import HTTPServer
import JSON
import Store

extension Application {
    /// Refuses a token that is not good for the route at all.
    func admit(_ grant: TokenGrant, to route: Route) throws(Problem) -> TokenRule {
        guard let rule = route.tokenRule(for: grant.subject.kind) else {
            throw Problem(.tokenNotAllowed, "No token of a \(grant.subject.kind.rawValue) allows this; a key may.")
        }
        guard grant.actions.contains(rule.action) else {
            throw Problem(.tokenNotAllowed, "The token lacks the action \(rule.action.rawValue).")
        }
        return rule
    }

    /// Answers a token's request: whom its path names must be within the token's reach when it comes in and, as a wait may lie
    /// between, when it is answered. What is out of reach is not there.
    func answer(
        _ rule: TokenRule, _ grant: TokenGrant, _ call: Call, _ handle: () async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        let missing: ProblemType = rule.reach == .question ? .questionNotFound : .personNotFound
        guard try await reaches(rule.reach, grant, call) else { throw Problem(missing) }
        let response = try await handle()
        // A command was decided on what held when it was written. A stream is opened without a wait and shows what its filter lets
        // through; once it is open it must reach whoever asked, for nobody else would close it.
        guard call.request.method == .get || call.request.method == .head, response.stream == nil else {
            return response
        }
        guard try await reaches(rule.reach, grant, call) else { throw Problem(missing) }
        return response
    }

    private func reaches(
        _ reach: TokenRule.Reach, _ grant: TokenGrant, _ call: Call
    ) async throws(Problem) -> Bool {
        switch reach {
        case .body: return true
        case .question:
            guard let id = call.parameters.first.flatMap({ Identifier($0) }) else { return false }
            return try await question(id, isWithin: grant.subject, call.app)
        case .person:
            guard let id = call.parameters.first.flatMap({ CallerID($0) }) else { return false }
            return try await person(id, isWithin: grant.subject, call.app)
        case .list:
            switch grant.subject {
            case .person(let id, ref: _): return try await person(id, isWithin: grant.subject, call.app)
            // Whom they are linked to is part of what is read.
            case .guardian: return true
            }
        }
    }

    /// Whether a question is of the token's person, or of somebody whom its guardian is linked to now.
    func question(
        _ id: Identifier, isWithin subject: TokenSubject, _ app: AppID
    ) async throws(Problem) -> Bool {
        guard let record = try await read({ () async throws(StoreFailure) in try await store.question(app, id) }),
            let person = record.person
        else { return false }
        switch subject {
        case .person(let own, let ref):
            return person == own && (ref.map { $0 == record.question.personRef } ?? true)
        case .guardian: return try await self.person(person, isWithin: subject, app)
        }
    }

    /// Whether it is the token's person, who is still the one they were when it was made, or somebody whom its guardian is linked
    /// to now. A ref never comes again, so a look after a read tells about the whole of it.
    func person(_ id: CallerID, isWithin subject: TokenSubject, _ app: AppID) async throws(Problem) -> Bool {
        switch subject {
        case .person(let own, let ref):
            guard id == own else { return false }
            guard let ref else { return true }
            return try await read({ () async throws(StoreFailure) in try await store.person(app, id) })?.ref == ref
        case .guardian(let guardian):
            let links = try await read { () async throws(StoreFailure) in try await store.guardians(app, person: id) }
            return links?.contains { $0.guardian == guardian } ?? false
        }
    }

    /// How many guardians must approve is not for the child's side to say.
    func refuseQuorum(_ quorum: Int?, _ call: Call) throws(Problem) {
        guard call.caller.grant != nil, quorum != nil else { return }
        throw Problem(
            .invalidBody,
            errors: [FieldError(pointer: "/quorum", detail: "must be given by a key and not with a token")])
    }

    /// Refuses a body that speaks for somebody else than the token does.
    func requireSubject(_ id: CallerID, _ call: Call, at pointer: String) throws(Problem) {
        guard let subject = call.caller.grant?.subject, subject.id != id else { return }
        throw Problem(.notTokenSubject, "The body's \(pointer) is somebody else than the token speaks for.")
    }
}

extension Call {
    /// Whom a person's token means by its person's id; nil where anybody who has it is meant.
    var personRef: Identifier? {
        guard case .person(_, let ref)? = caller.grant?.subject else { return nil }
        return ref
    }
}
