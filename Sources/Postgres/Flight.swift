/// Several statements that travel together: one round trip, one synchronisation point at the end.
///
/// The server runs them in order and skips the rest after the first failure. Without `begin` they are one implicit
/// transaction.
package struct Flight: Sendable {
    /// Transaction control, sent like any other statement.
    package enum Control: Sendable {
        case begin
        /// Must answer with the tag `COMMIT`: a commit of an aborted transaction answers `ROLLBACK`, which is an error.
        case commit
        case rollback

        fileprivate var statement: Statement {
            switch self {
            case .begin: Self.beginStatement
            case .commit: Self.commitStatement
            case .rollback: Self.rollbackStatement
            }
        }

        private static let beginStatement = Statement("begin", "begin isolation level read committed")
        private static let commitStatement = Statement("commit", "commit")
        private static let rollbackStatement = Statement("rollback", "rollback")
    }

    struct Step: Sendable {
        let statement: Statement
        let parameters: Parameters
        let isCommit: Bool
        var isBegin = false
    }

    private(set) var steps: [Step] = []

    package init() {}

    package var count: Int { steps.count }
    package var isEmpty: Bool { steps.isEmpty }

    /// Adds a statement; the returned index is its place in what `Connection.run` returns.
    @discardableResult
    package mutating func add(_ statement: Statement, _ parameters: Parameters = Parameters(capacity: 0)) -> Int {
        steps.append(Step(statement: statement, parameters: parameters, isCommit: false))
        return steps.count - 1
    }

    /// Adds transaction control; it takes a place among the results too.
    @discardableResult
    package mutating func simple(_ control: Control) -> Int {
        let (isCommit, isBegin) =
            switch control {
            case .commit: (true, false)
            case .begin: (false, true)
            case .rollback: (false, false)
            }
        steps.append(
            Step(
                statement: control.statement, parameters: Parameters(capacity: 0), isCommit: isCommit, isBegin: isBegin)
        )
        return steps.count - 1
    }
}
