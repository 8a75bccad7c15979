import Consent
import Postgres

/// Answers a batch of queries of one lane in one flight: single questions by one statement, equal queries once.
///
/// The pool calls it on its threads and on those that read in their turns; all of them share the shelf.
struct QueryHandler: ReadHandler {
    private let shelf = QuestionShelf()

    func read(_ items: [PendingQuery]) -> Course {
        var plan = QueryPlan()
        for item in items { plan.add(item.request) }
        plan.close()
        return .flight(plan.flight) { [shelf] results throws(DatabaseError) in
            var answers = try plan.answers(results, shelf)
            guard let missing = answers.missing else {
                Self.tell(items, answers)
                return .end
            }
            return .flight(missing) { results throws(DatabaseError) in
                try answers.add(results, to: shelf)
                Self.tell(items, answers)
                return .end
            }
        }
    }

    private static func tell(_ items: [PendingQuery], _ answers: QueryAnswers) {
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
