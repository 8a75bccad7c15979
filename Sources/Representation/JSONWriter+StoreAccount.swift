package import Consent
package import JSON

extension JSONWriter {
    /// A store's id of a person, as it was registered; times and statuses are what the store said last.
    package mutating func storeAccount(_ registered: RegisteredAccount) {
        beginObject()
        key("store")
        string(registered.account.store.rawValue)
        key("environment")
        string(registered.account.environment.rawValue)
        key("id")
        callerID(registered.account.id)
        key("platform")
        string(registered.platform)
        key("ageSignalsStatus")
        string(registered.signalsStatus)
        key("significantChangeStatus")
        string(registered.changeStatus)
        key("signedAt")
        moment(registered.signedAt)
        key("registeredAt")
        moment(registered.registeredAt)
        endObject()
    }

    /// What a registration left behind: the id, and the person with whatever waited for it applied.
    package mutating func registration(_ registered: RegisteredAccount, _ person: Person) {
        beginObject()
        key("account")
        storeAccount(registered)
        key("person")
        self.person(person)
        endObject()
    }

    /// That a store's id came to be known as a person's; the log does not keep the id.
    package mutating func storeAccountEvent(
        _ store: StoreName, _ environment: OriginalVersion.Environment, isSigned: Bool, person: CallerID?
    ) {
        beginObject()
        key("person")
        callerID(person)
        key("store")
        string(store.rawValue)
        key("environment")
        string(environment.rawValue)
        key("signed")
        bool(isSigned)
        endObject()
    }

    /// What became of a file of revocations: how many rows, and how each notice stands now; every status is there.
    package mutating func revocations(rows: Int, _ statuses: [StoreNotification.Status: Int]) {
        beginObject()
        key("rows")
        integer(rows)
        key("applied")
        integer(statuses[.applied] ?? 0)
        key("outdated")
        integer(statuses[.outdated] ?? 0)
        key("unattributed")
        integer(statuses[.unattributed] ?? 0)
        endObject()
    }
}
