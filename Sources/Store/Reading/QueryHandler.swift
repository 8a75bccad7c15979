import Consent
import Postgres

/// Answers a batch of queries of one lane in one flight: single questions by one statement, equal queries once.
///
/// The pool calls it on its threads, which share the shelf.
struct QueryHandler: ReadHandler {
    private let shelf = QuestionShelf()

    func read(_ items: [PendingQuery], on connection: Connection) throws(DatabaseError) {
        var plan = QueryPlan()
        for item in items { plan.add(item.request) }
        plan.close()
        let results = try connection.run(plan.flight)
        let answers = try plan.answers(results, shelf, on: connection)
        for item in items {
            if let answer = answers(item.request) {
                item.answer(.success(answer))
            } else {
                item.answer(.failure(.broken(sqlState: nil)))
            }
        }
    }

    func fail(_ items: [PendingQuery], _ failure: BatchFailure) {
        for item in items { item.answer(.failure(StoreFailure(failure))) }
    }
}
