import Store

extension StoreFailure {
    /// For an operator: what the database did not do.
    var words: String {
        switch self {
        case .overloaded: "too much waits for the database already"
        case .unavailable: "the database cannot be reached or is not writable"
        case .deadline: "the database did not get to it in time"
        case .outcomeUnknown: "the connection was lost around the commit and what became of it is not known"
        case .broken(let sqlState): "a statement failed unexpectedly" + (sqlState.map { " (SQLSTATE \($0))" } ?? "")
        }
    }
}
