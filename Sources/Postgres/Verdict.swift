/// How one run of a group of items ended.
enum Verdict {
    /// Every item was answered.
    case told
    /// Nothing happened; the same group may run again.
    case again(DatabaseError)
    /// The connection went, nothing happened; the same group may run again on another.
    case lost(DatabaseError)
    /// Nothing happened, and running it again would fail again.
    case refused(DatabaseError)
    /// It may have happened.
    case unknown

    /// Sorts an error of a run that cannot have committed.
    init(_ error: DatabaseError, isOpen: Bool) {
        if !error.isRetryable {
            self = .refused(error)
        } else if isOpen {
            self = .again(error)
        } else {
            self = .lost(error)
        }
    }
}
