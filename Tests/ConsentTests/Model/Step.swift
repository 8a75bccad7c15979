/// One thing that happens in the model, to the newest question of one person with two guardians.
enum Step: String, CaseIterable {
    case approval1, denial1, approval2, denial2
    case cancel
    /// The clock comes to the question's expiration; where it has passed already, the sweep comes by.
    case deadline
    case unlink1
    case askAgain
    /// Guardian 1 is linked (again).
    case link1
    /// Consent for the person is taken back as a whole; the household is back.
    case rescind, reinstate
    /// The change asked about is withdrawn; where it is already, the worker that cancels what waits comes by.
    case withdraw

    /// The alphabet of the main job; `link1` is walked apart, over shorter sequences, and so is what ends everything.
    static let withoutLinking: [Step] = withoutRescission.filter { $0 != .link1 }
    static let withoutRescission: [Step] = withoutWithdrawal.filter { $0 != .rescind && $0 != .reinstate }
    static let withoutWithdrawal: [Step] = allCases.filter { $0 != .withdraw }
    static let withWithdrawal: [Step] = withoutLinking + [.withdraw]
}
