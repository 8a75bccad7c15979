import AppStore
import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func listStoreNotifications(_ call: Call) async throws(Problem) -> Response {
        let query = try call.query("type", "status", "person", "environment", "cursor", "limit")
        let limit = try query.limit()
        let type = query.text("type")
        if let type, !Self.isType(type) {
            throw .parameter("type", "A type is 1 to 128 letters, digits, dots, hyphens and underscores.")
        }
        let filter = StoreNotificationFilter(
            type: type, status: try query.oneOf("status", StoreNotification.Status.self),
            person: try query.callerID("person"),
            environment: try query.oneOf("environment", OriginalVersion.Environment.self))
        var after: Identifier?
        if let cursor = query.text("cursor") {
            after = Cursor.notification(cursor)
            guard after != nil else { throw .foreignCursor() }
        }
        let page = try await read { () async throws(StoreFailure) in
            try await store.storeNotifications(call.app, filter, after: after, limit: limit)
        }
        let next = page.more ? page.rows.last.map { Cursor.write(notification: $0.notification.id) } : nil
        return .json(200, capacity: 512 * (page.rows.count + 1)) { writer in
            writer.page(page.rows, nextCursor: next) { $0.storeNotification($1.notification, person: $1.person) }
        }
    }

    private static func isType(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
                default: false
                }
            }
    }

    func getStoreNotification(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let record = try await notification(call)
        return .json(200, capacity: 1_024 + (record.payload?.count ?? 0)) {
            $0.storeNotification(record.notification, person: record.person, payload: record.payload)
        }
    }

    func attributeNotification(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.identifier(0, .notificationNotFound)
        let posted: PostedAttribution
        do { posted = try PostedAttribution(body: call.request.body) } catch { throw Problem(error) }
        return try await submit(.attribute(notification: id, person: posted.person), call)
    }

    /// Judges a stored notification again, by the registrations and roots of now.
    func replayNotification(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        do { try EmptyBody.check(call.bodyOrEmptyObject) } catch { throw Problem(error) }
        let record = try await notification(call)
        guard record.notification.store == .appStore else {
            throw .notReplayable(record, "What this store sends is not signed; there is nothing to verify again.")
        }
        guard let payload = record.payload, let token = String(validating: payload, as: UTF8.self) else {
            throw .notReplayable(record, "What was sent was erased with the person it concerned.")
        }
        guard let appStore else {
            throw Problem(
                .appStoreNotConfigured, "The operator has named no root certificate of the store.", retryAfter: 3_600)
        }
        let app = try await read { () async throws(StoreFailure) in try await store.app(call.app) }
        guard let app else { throw Problem(.appNotFound) }
        let judged: AppStoreDesk.Judged
        do throws(VerificationThreads.Overloaded) {
            judged = try await appStore.judge(notification: token, for: app, at: clock.wall())
        } catch {
            throw Self.busy
        }
        switch judged {
        case .genuine(let notice): return try await submit(.receive(notice), call)
        case .refused(let refusal):
            var problem = Problem.notReplayable(record, refusal.detail)
            problem.reason = refusal.reason.rawValue
            throw problem
        }
    }

    private func notification(_ call: Call) async throws(Problem) -> StoreNotificationRecord {
        let id = try call.identifier(0, .notificationNotFound)
        let record = try await read { () async throws(StoreFailure) in
            try await store.storeNotification(call.app, id)
        }
        guard let record else { throw Problem(.notificationNotFound) }
        return record
    }
}

extension Problem {
    fileprivate static func notReplayable(_ record: StoreNotificationRecord, _ detail: String) -> Problem {
        var writer = JSONWriter(capacity: 512)
        writer.storeNotification(record.notification, person: record.person)
        return Problem(.notReplayable, detail, current: writer.finish())
    }
}

extension Response {
    static func notification(_ record: StoreNotificationRecord, status: Int) -> Response {
        json(status) { $0.storeNotification(record.notification, person: record.person) }
    }

    static func registration(_ registered: RegisteredAccount, _ person: Person, status: Int) -> Response {
        json(status) { $0.registration(registered, person) }
    }
}
