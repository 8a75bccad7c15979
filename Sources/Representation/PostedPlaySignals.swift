package import Consent
import JSON

/// The body of `POST /v1/persons/{person}/play-signals`: what the Play Age Signals API said on a device, in either form.
package struct PostedPlaySignals: Sendable, Equatable {
    package let account: StoreAccount
    package let signals: PlaySignals

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let id = body.accountID("installId")
            let lower = body.integer("ageLower", .optional, in: AgeRange.bounds)
            let upper = body.integer("ageUpper", .optional, in: AgeRange.bounds)
            if !AgeRange.agree(lower: lower, upper: upper) { body.refuse("ageLower", "must not be above ageUpper") }
            let isOlder = !body.isMissing("userStatus") || !body.isMissing("mostRecentApprovalDate")
            let signals = isOlder ? body.olderSignals(lower, upper) : body.signals(lower, upper)
            guard let id, let signals else { return nil }
            return PostedPlaySignals(
                account: StoreAccount(store: .playStore, environment: .production, id: id), signals: signals)
        }
    }

    private init(account: StoreAccount, signals: PlaySignals) {
        self.account = account
        self.signals = signals
    }
}

extension ObjectReader {
    /// Since 0.0.4: a status says whether anything is shared, a source how the age is known.
    fileprivate func signals(_ lower: Int?, _ upper: Int?) -> PlaySignals? {
        if isMissing("ageSignalsStatus"), isMissing("ageRangeSource") {
            refuse("ageSignalsStatus", "must be there, or ageRangeSource, or userStatus of the older form")
        }
        let status = name("ageSignalsStatus", .optional, bytes: 1...64)
        let source = name("ageRangeSource", .optional, bytes: 1...64)
        let changeStatus = name("significantChangeStatus", .optional, bytes: 1...64)
        let approvedAt = timestamp("significantChangeApprovalDate", .optional)
        return PlaySignals(
            form: .status(status, source: source), ageLower: lower, ageUpper: upper, changeStatus: changeStatus,
            approvedAt: approvedAt.map { Instant(microseconds: $0) })
    }

    /// Before: one user status, a number or the constant's name.
    fileprivate func olderSignals(_ lower: Int?, _ upper: Int?) -> PlaySignals? {
        for name: StaticString in [
            "ageSignalsStatus", "ageRangeSource", "significantChangeStatus", "significantChangeApprovalDate",
        ] where !isMissing(name) {
            refuse(name, "must be absent beside the older form's members")
        }
        let status: String?
        if kind("userStatus") == .integer {
            status = integer("userStatus", in: 0...1_000).map { String($0) }
        } else {
            status = name("userStatus", bytes: 1...64)
        }
        let approvedAt = timestamp("mostRecentApprovalDate", .optional)
        return status.map {
            PlaySignals(
                form: .userStatus($0), ageLower: lower, ageUpper: upper,
                approvedAt: approvedAt.map { Instant(microseconds: $0) })
        }
    }
}
