import AppStore
package import Consent
package import Store

/// Takes signed notifications that came another way than over HTTP, as if the store had sent them; stopped half-way it can be
/// run again.
package struct NotificationImport: Sendable {
    /// What became of one of them.
    package enum Fate: Sendable, Hashable {
        case kept(StoreNotification.Status, reason: String?)
        /// It can never verify.
        case refused(reason: String, detail: String)
    }

    package enum Failure: Error, Sendable {
        case store(StoreFailure)
        case refused(Refusal)
    }

    /// Notifications under way at once.
    private static let width = 32

    let store: any StoreWriting
    let desk: AppStoreDesk
    let app: App
    let now: Instant

    /// - Parameters:
    ///   - desk: its queue must hold at least 32.
    ///   - now: of the host, to tell what is dated too far ahead.
    package init(store: any StoreWriting, desk: AppStoreDesk, app: App, now: Instant) {
        self.store = store
        self.desk = desk
        self.app = app
        self.now = now
    }

    /// What became of each, in the order given.
    package func run(_ payloads: [String]) async -> Result<[Fate], Failure> {
        typealias Taken = (place: Int, Result<Fate, Failure>)
        return await withTaskGroup(of: Taken.self) { group in
            var fates: [Fate?] = Array(repeating: nil, count: payloads.count)
            var rest = payloads.enumerated().map { ($0.offset, $0.element) }[...]
            for (place, payload) in rest.prefix(Self.width) { group.addTask { (place, await take(payload)) } }
            rest = rest.dropFirst(Self.width)
            while let (place, result) = await group.next() {
                switch result {
                case .failure(let failure):
                    group.cancelAll()
                    return .failure(failure)
                case .success(let fate): fates[place] = fate
                }
                if let (place, payload) = rest.popFirst() { group.addTask { (place, await take(payload)) } }
            }
            return .success(fates.compactMap { $0 })
        }
    }

    private func take(_ payload: String) async -> Result<Fate, Failure> {
        let judged: AppStoreDesk.Judged
        do throws(VerificationThreads.Overloaded) {
            judged = try await desk.judge(notification: payload, for: app, at: now)
        } catch {
            return .failure(.store(.overloaded))
        }
        let notice: StoreNotice
        switch judged {
        case .refused(let refusal):
            return .success(.refused(reason: refusal.reason.rawValue, detail: refusal.detail))
        case .genuine(let genuine): notice = genuine
        }
        do throws(StoreFailure) {
            switch try await store.submit(Submission(app: app.id, command: .receive(notice))) {
            case .done(.notification(let record)):
                let kept = record.notification
                return .success(.kept(kept.status, reason: kept.quarantine?.reason))
            case .refused(let refusal, _, _): return .failure(.refused(refusal))
            case .done, .replayed: return .failure(.store(.broken(sqlState: nil)))
            }
        } catch {
            return .failure(.store(error))
        }
    }
}
