package import Consent
package import Store

extension Instant {
    /// So many seconds before the present.
    package static func ago(_ seconds: Int64) -> Instant { Instant.present.adding(seconds: -seconds) }

    /// Soon: what a store's clock that is ahead says.
    package static var ahead: Instant { Instant.present.adding(seconds: 240) }
}

/// What stores send, for tests.
package enum Notices {
    package static func rescission(
        _ account: CallerID, signed: Instant = .ago(100), uuid: String = "u-1",
        environment: OriginalVersion.Environment = .production, store: StoreName = .appStore
    ) -> StoreNotice {
        StoreNotice(
            store: store, uuid: uuid, identity: Array(uuid.utf8), type: "RESCIND_CONSENT", subtype: nil,
            environment: environment, signedDate: signed,
            judgement: .rescission(of: StoreAccount(store: store, environment: environment, id: account)),
            payload: Array("payload of \(uuid) about \(account.text)".utf8))
    }

    package static func information(
        _ type: String, subtype: String? = nil, uuid: String, about account: CallerID? = nil,
        environment: OriginalVersion.Environment = .production, store: StoreName = .appStore
    ) -> StoreNotice {
        StoreNotice(
            store: store, uuid: uuid, identity: Array(uuid.utf8), type: type, subtype: subtype,
            environment: environment, signedDate: .ago(100),
            judgement: .information(
                about: account.map { StoreAccount(store: store, environment: environment, id: $0) }),
            payload: Array("payload of \(uuid)".utf8))
    }

    /// The same notice, which is not usable for now.
    package static func quarantined(_ notice: StoreNotice, _ why: Quarantine) -> StoreNotice {
        StoreNotice(
            store: notice.store, uuid: notice.uuid, identity: notice.identity, type: notice.type,
            subtype: notice.subtype, environment: notice.environment, signedDate: notice.signedDate,
            judgement: .quarantine(why), payload: notice.payload)
    }

    package static func register(
        _ person: CallerID, _ account: CallerID, signed: Instant? = nil,
        environment: OriginalVersion.Environment = .production, store: StoreName = .appStore
    ) -> Command {
        .register(
            person: person,
            AccountRegistration(
                account: StoreAccount(store: store, environment: environment, id: account), signedAt: signed))
    }
}
