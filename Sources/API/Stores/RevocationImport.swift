package import Consent
package import PlayStore
package import Store

/// Submits the rows of a Play revocation file, many at once; stopped half-way it can be run again.
package struct RevocationImport: Sendable {
    /// Why it ended early. What was taken before stays.
    package enum Failure: Error, Sendable {
        case store(StoreFailure)
        case refused(Refusal, person: CallerID?, at: Instant)
    }

    /// Rows under way at once: enough for the store to batch, few enough to leave room in its queue.
    private static let width = 64

    let store: any StoreWriting
    let app: AppID

    package init(store: any StoreWriting, app: AppID) {
        self.store = store
        self.app = app
    }

    /// How many rows came to what.
    package func run(_ file: RevocationFile) async -> Result<[StoreNotification.Status: Int], Failure> {
        var rest = StoreNotice.all(in: file)[...]
        return await withTaskGroup { group in
            var statuses: [StoreNotification.Status: Int] = [:]
            for notice in rest.prefix(Self.width) { group.addTask { await submit(notice) } }
            rest = rest.dropFirst(Self.width)
            while let result = await group.next() {
                switch result {
                case .failure(let failure):
                    group.cancelAll()
                    return .failure(failure)
                case .success(let status): statuses[status, default: 0] += 1
                }
                if let notice = rest.popFirst() { group.addTask { await submit(notice) } }
            }
            return .success(statuses)
        }
    }

    private func submit(_ notice: StoreNotice) async -> Result<StoreNotification.Status, Failure> {
        do throws(StoreFailure) {
            switch try await store.submit(Submission(app: app, command: .receive(notice))) {
            case .done(.notification(let record)): return .success(record.notification.status)
            case .refused(let refusal, let person, let moment):
                return .failure(.refused(refusal, person: person, at: moment))
            case .done, .replayed: return .failure(.store(.broken(sqlState: nil)))
            }
        } catch {
            return .failure(.store(error))
        }
    }
}

extension StoreNotice {
    /// A notice for each row. Rows with the same install id and date are told apart by their order in the file: each is a
    /// revocation of its own, and the same file again says the same.
    static func all(in file: RevocationFile) -> [StoreNotice] {
        var seen: [[UInt8]: Int] = [:]
        return file.rows.compactMap { row in
            guard let id = CallerID(row.installID) else { return nil }
            var identity = Array("\(row.installID)\n\(row.date.map { String($0) } ?? "")".utf8)
            let number = (seen[identity] ?? 0) + 1
            seen[identity] = number
            identity += "\n\(number)".utf8
            return StoreNotice(
                store: .playStore, uuid: nil, identity: identity, type: nil, subtype: nil, environment: .production,
                signedDate: row.date.map { Instant(microseconds: $0) },
                judgement: .rescission(of: StoreAccount(store: .playStore, environment: .production, id: id)),
                payload: Array(row.text.utf8))
        }
    }
}
