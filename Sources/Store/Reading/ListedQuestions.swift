import Consent
import Postgres

/// The lists of one flight: which rows each has, and what those rows hold.
struct ListedQuestions {
    private struct List {
        let rows: [QuestionRow]
        let next: QuestionPosition?
    }

    private let app: AppID
    private var lists: [Query: List] = [:]
    private var records: [Identifier: QuestionRecord] = [:]

    init(_ app: AppID) {
        self.app = app
    }

    mutating func add(
        _ query: Query, _ filter: QuestionFilter, limit: Int, _ result: ResultSet
    ) throws(DatabaseError) {
        var rows: [QuestionRow] = []
        rows.reserveCapacity(min(result.count, limit))
        for index in 0..<min(result.count, limit) { rows.append(try QuestionQueries.row(result[index])) }
        lists[query] = List(rows: rows, next: try QuestionQueries.next(result, filter, limit: limit))
    }

    /// Takes from the shelf what is there as it is now; what comes back fetches the rest, nil when nothing is missing.
    mutating func fill(from shelf: QuestionShelf) -> Flight? {
        let rows = lists.values.flatMap(\.rows)
        records = shelf.take(rows, of: app)
        let missing = Set(rows.map(\.id).filter { records[$0] == nil })
        if missing.isEmpty { return nil }
        var flight = Flight()
        var binds = Parameters(capacity: 32 * missing.count)
        binds.append(app)
        binds.append(identifiers: missing.sorted())
        flight.add(QuestionQueries.byID, binds)
        return flight
    }

    /// What was fetched, for the lists and for the shelf.
    mutating func add(_ fetched: ResultSet, to shelf: QuestionShelf) throws(DatabaseError) {
        var fresh: [QuestionRecord] = []
        fresh.reserveCapacity(fetched.count)
        for index in 0..<fetched.count {
            let record = try QuestionQueries.record(fetched[index], app, isShared: true)
            records[record.question.id] = record
            fresh.append(record)
        }
        shelf.put(fresh)
    }

    /// Each list as a page.
    ///
    /// A question that has left the list's state since the list was read, by an answer or by its expiration, is left
    /// out: it is no longer what was asked for.
    func pages() -> [Query: QueryResult] {
        lists.reduce(into: [:]) { pages, entry in
            guard case .questions(_, let filter, _, _) = entry.key else { return }
            var shown: [QuestionRecord] = []
            shown.reserveCapacity(entry.value.rows.count)
            for row in entry.value.rows {
                guard let record = records[row.id] else { continue }
                if filter.state == nil || record.question.state == filter.state { shown.append(record) }
            }
            pages[entry.key] = .questions(QuestionPage(rows: shown, next: entry.value.next))
        }
    }
}
