/// What Google Play says about a person: their age band, and what their parent last said about significant changes.
///
/// There are two forms. Since 0.0.4 a status says whether anything is shared and a source says how the age is known; before,
/// one user status said both. Whichever came is kept as it came; what nobody knows confirms nothing.
package struct PlaySignals: Sendable, Hashable {
    /// How the age is told.
    package enum Form: Sendable, Hashable {
        /// `ageSignalsStatus` and `ageRangeSource`.
        case status(String?, source: String?)
        /// `userStatus`: a number as text, or the constant's name.
        case userStatus(String)
    }

    package let form: Form
    /// 0 to 150, the lower not above the upper.
    package let ageLower: Int?
    package let ageUpper: Int?
    /// `significantChangeStatus`, as it came; nil in the older form, which says it in the user status.
    package let changeStatus: String?
    /// `significantChangeApprovalDate` or `mostRecentApprovalDate`: when the last approved change was approved.
    package let approvedAt: Instant?

    package init(form: Form, ageLower: Int?, ageUpper: Int?, changeStatus: String? = nil, approvedAt: Instant? = nil) {
        self.form = form
        self.ageLower = ageLower
        self.ageUpper = ageUpper
        self.changeStatus = changeStatus
        self.approvedAt = approvedAt
    }

    /// The status as it came, to be kept.
    package var status: String? {
        switch form {
        case .status(let status, source: _): status
        case .userStatus(let status): status
        }
    }

    /// The age range this means, in the words of the one model.
    package var ageRange: AgeRange {
        switch form {
        case .status("NOT_SHARED", source: _): .declined
        case .status("VERIFICATION_REQUIRED", source: _): range(declaration: nil)
        case .status("SHARED", let source), .status(nil, let source):
            range(declaration: source.flatMap(Self.declaration))
        case .status(.some(let unknown), source: _): range(declaration: Self.unknown(unknown))
        case .userStatus(let name): range(UserStatus(name), name)
        }
    }

    /// What the older user status means.
    private enum UserStatus: String {
        case verified = "VERIFIED"
        case supervised = "SUPERVISED"
        case supervisedApprovalPending = "SUPERVISED_APPROVAL_PENDING"
        case supervisedApprovalDenied = "SUPERVISED_APPROVAL_DENIED"
        case unknown = "UNKNOWN"
        case declared = "DECLARED"

        init?(_ name: String) {
            switch name {
            case "0": self = .verified
            case "1": self = .supervised
            case "2": self = .supervisedApprovalPending
            case "3": self = .supervisedApprovalDenied
            case "4": self = .unknown
            case "5": self = .declared
            default: self.init(rawValue: name)
            }
        }
    }

    private func range(_ status: UserStatus?, _ name: String) -> AgeRange {
        switch status {
        // Verified means 18 or more, and comes without bounds.
        case .verified where ageLower == nil && ageUpper == nil:
            .range(lower: AgeGroup.adultAge, upper: nil, declaration: "confirmed")
        case .verified: range(declaration: "confirmed")
        case .supervised, .supervisedApprovalPending, .supervisedApprovalDenied: range(declaration: "guardianDeclared")
        case .declared: range(declaration: "selfDeclared")
        case .unknown: range(declaration: nil)
        case nil: range(declaration: Self.unknown(name))
        }
    }

    private func range(declaration: String?) -> AgeRange {
        ageLower == nil && ageUpper == nil
            ? .notTold : .range(lower: ageLower, upper: ageUpper, declaration: declaration)
    }

    private static func declaration(_ source: String) -> String? {
        switch source {
        case "TIER_A": "selfDeclared"
        case "TIER_B": "guardianDeclared"
        case "TIER_C", "TIER_D": "confirmed"
        default: unknown(source)
        }
    }

    /// A name that nobody knows is kept, but for the one that would confirm.
    private static func unknown(_ name: String) -> String? { name == "confirmed" ? nil : name }
}
