import Consent
import HTTPServer
import Representation
import Store

extension Application {
    /// Answers a keyed request that was accepted before: its first status, the resource as it is now. Without what was
    /// shown once; 404 where the resource is gone.
    func replay(_ name: ResourceName, status: Int, _ call: Call) async throws(Problem) -> Response {
        switch name {
        case .nothing: return .noContent()
        case .question(let id):
            let record = try await read { () async throws(StoreFailure) in try await store.question(call.app, id) }
            // What was accepted from a token of somebody who had the id before is not this one's.
            guard let record else { throw Problem(.questionNotFound) }
            if let subject = call.caller.grant?.subject, try await !question(id, isWithin: subject, call.app) {
                throw Problem(.questionNotFound)
            }
            let isAsking = call.parameters.isEmpty
            return .question(record, status: status, location: status == 201, existing: isAsking && status == 200)
        case .answers(_, let items): return try await replay(items, status: status, call)
        case .askedAll(_, let items): return try await replay(items, status: status, call)
        case .person(let id):
            let person = try await read { () async throws(StoreFailure) in try await store.person(call.app, id) }
            guard let person else { throw Problem(.personNotFound) }
            return .person(person, status: status, location: nil)
        case .link(let person, let guardian):
            let links = try await read { () async throws(StoreFailure) in
                try await store.guardians(call.app, person: person)
            }
            guard let link = links?.first(where: { $0.guardian == guardian }) else {
                throw Problem(.guardianNotFound)
            }
            return .link(link, status: status, location: nil)
        case .acknowledgment(let person, let change):
            let acknowledgment = try await read { () async throws(StoreFailure) in
                try await store.acknowledgment(call.app, person: person, change: change)
            }
            guard let acknowledgment else { throw Problem(.acknowledgmentNotFound) }
            return .acknowledgment(acknowledgment, person, status: status, location: nil)
        case .rescission(let person, let scope):
            return try await standing(person, scope, isReturn: false, status: status, call)
        case .reinstatement(let person):
            return try await standing(person, .person, isReturn: true, status: status, call)
        case .change(let id):
            let change = try await read { () async throws(StoreFailure) in try await store.change(call.app, id) }
            guard let change else { throw Problem(.changeNotFound) }
            return .change(change, status: status, location: nil, for: call.request)
        case .ageRating(let scope, let outcome, let previousCode, let change):
            let baseline = try await read { () async throws(StoreFailure) in
                try await store.ageRating(call.app, scope)
            }
            return .ageRating(
                outcome, baseline: baseline, previousCode: previousCode, change: change, status: status)
        case .notification(let id):
            let record = try await read { () async throws(StoreFailure) in
                try await store.storeNotification(call.app, id)
            }
            guard let record else { throw Problem(.notificationNotFound) }
            return .notification(record, status: status)
        case .account(let id, let account):
            let accounts = try await read { () async throws(StoreFailure) in
                try await store.storeAccounts(call.app, person: id)
            }
            let person = try await read { () async throws(StoreFailure) in try await store.person(call.app, id) }
            guard let person, let registered = accounts?.first(where: { $0.account == account }) else {
                throw Problem(.personNotFound)
            }
            return .registration(registered, person, status: status)
        case .ticket(let end): return .streamTicket(nil, expiresAt: end, status: status)
        case .app:
            let app = try await read { () async throws(StoreFailure) in try await store.app(call.app) }
            guard let app else { throw Problem(.appNotFound) }
            return .app(app, status: status, location: nil)
        case .key(let id):
            let key = try await read { () async throws(StoreFailure) in try await store.key(call.app, id) }
            guard let key else { throw Problem(.keyNotFound) }
            return .apiKey(key, status: status, secret: nil, app: call.app)
        case .webhook(let resource): return try await webhook(resource, status: status, call)
        }
    }
}
