import AppStore
import Consent
import HTTPServer
import Representation
import Store

extension Application {
    /// Takes a notification of the App Store about an app; no key, the signature is what proves it.
    func receiveNotification(_ parameters: [String], _ request: Request) async throws(Problem) -> Response {
        _ = try Parameters(request.query, allowing: [])
        guard let appStore else {
            throw Problem(
                .appStoreNotConfigured, "The operator has named no root certificate of the store.", retryAfter: 3_600)
        }
        let posted: PostedSignedPayload
        do { posted = try PostedSignedPayload(body: request.body) } catch { throw Problem(error) }
        do throws(Problem) {
            let app = try await registeredApp(parameters.first)
            let judged = try await judge(posted.signedPayload, app, from: request, by: appStore)
            switch judged {
            case .refused(let refusal):
                throw refused(refusal, request)
            case .genuine(let notice):
                return try await keep(notice, of: app.id)
            }
        } catch {
            if error.type.status == 503 { observe(.notification(.postponed)) }
            throw error
        }
    }

    /// The app that a path names, as it is registered now.
    private func registeredApp(_ name: String?) async throws(Problem) -> App {
        guard let id = name.flatMap({ AppID($0) }) else { throw Problem(.appNotFound) }
        let app = try await read { () async throws(StoreFailure) in try await store.app(id) }
        guard let app else { throw Problem(.appNotFound) }
        return app
    }

    /// A source whose tokens do not verify waits behind a small bound of its own, so that it cannot fill the queue for others.
    private func judge(
        _ token: String, _ app: App, from request: Request, by desk: AppStoreDesk
    ) async throws(Problem) -> AppStoreDesk.Judged {
        let isSuspect = limits.failures.exhaustion(request.head) != nil
        if isSuspect {
            guard suspects.enter() else { throw Self.busy }
        }
        defer { if isSuspect { suspects.leave() } }
        do throws(VerificationThreads.Overloaded) {
            return try await desk.judge(notification: token, for: app, at: clock.wall())
        } catch {
            throw Self.busy
        }
    }

    private func refused(_ refusal: TokenRefusal, _ request: Request) -> Problem {
        let standing = limits.failures.count(request.head)
        observe(.notification(.refused(reason: refusal.reason.rawValue, isLimited: standing.isRefused)))
        guard standing.isRefused else {
            var problem = Problem(.notificationRefused, refusal.detail)
            problem.reason = refusal.reason.rawValue
            return problem
        }
        var problem = limits.failures.problem("Too many notifications from this address did not verify.", standing)
        problem.reason = refusal.reason.rawValue
        return problem
    }

    private func keep(_ notice: StoreNotice, of app: AppID) async throws(Problem) -> Response {
        let reply = try await read { () async throws(StoreFailure) in
            try await store.submit(Submission(app: app, command: .receive(notice)))
        }
        switch reply {
        case .done(.notification(let record)):
            let kept = record.notification
            observe(.notification(.kept(kept.status, reason: kept.quarantine?.reason)))
            return .json(200) { $0.receipt(of: kept.status) }
        case .refused(let refusal, let person, let moment):
            throw Problem(refusal, app: app, person: person, at: moment)
        case .done, .replayed:
            throw Problem(.internalError)
        }
    }

    static let busy = Problem(.overloaded, "Too many signed tokens wait to be verified.", retryAfter: 1)
}
