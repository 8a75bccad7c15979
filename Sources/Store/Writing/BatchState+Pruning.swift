import Consent
import Postgres

/// What was found that a pruning may take away.
enum PruningFound: Sendable {
    /// So many rows, which its own statement takes.
    case rows(Int)
    /// The events after the first number, up to the second.
    case events(after: Int64, through: Int64)
    case questions([(question: Question, around: Question.Surroundings)])
}

/// Retention's commands.
extension BatchState {
    /// Takes in one row of what was found for a pruning.
    mutating func read(_ pruning: Pruning, _ row: Row) throws(DatabaseError) {
        switch pruning {
        case .replies, .notifications, .deliveries, .emptyCounters, .tickets:
            prunable[pruning] = .rows(Int(try row.int8(0)))
        case .events: prunable[pruning] = .events(after: try row.int8(0), through: try row.int8(1))
        case .questions:
            var found: [(question: Question, around: Question.Surroundings)] = []
            if case .questions(let earlier) = prunable[pruning] { found = earlier }
            found.append(try QuestionTable.decodeSurrounded(row))
            prunable[pruning] = .questions(found)
        }
    }

    mutating func prune(_ pruning: Pruning) -> Reply {
        // A second one in the batch finds nothing more.
        guard let found = prunable.removeValue(forKey: pruning) else { return .done(.pruned(0)) }
        switch (pruning, found) {
        case (.replies(let seconds, let limit), .rows(let count)):
            guard count > 0 else { break }
            writes.forgets.append((now.adding(seconds: -Int64(seconds)), limit))
            return .done(.pruned(count))
        case (.events, .events(let after, let through)):
            guard through > after else { break }
            writes.prunedEvents = max(writes.prunedEvents ?? 0, through)
            return .done(.pruned(Int(through - after)))
        case (.questions(_, let seconds), .questions(let found)):
            return .done(.pruned(prune(found, keptSeconds: seconds)))
        case (.notifications(let status, let seconds, let limit), .rows(let count)):
            guard count > 0 else { break }
            writes.prunedNotices.append((status, now.adding(seconds: -Int64(seconds)), limit))
            return .done(.pruned(count))
        case (.deliveries(let seconds, let limit), .rows(let count)):
            guard count > 0 else { break }
            writes.webhooks.pruned.append((now.adding(seconds: -Int64(seconds)), limit))
            return .done(.pruned(count))
        case (.emptyCounters(let limit), .rows(let count)):
            guard count > 0 else { break }
            writes.emptyCounters = max(writes.emptyCounters ?? 0, limit)
            return .done(.pruned(count))
        case (.tickets(let limit), .rows(let count)):
            guard count > 0 else { break }
            tickets.pruned.append((now, limit))
            return .done(.pruned(count))
        default: break
        }
        return .done(.pruned(0))
    }

    private mutating func prune(
        _ found: [(question: Question, around: Question.Surroundings)], keptSeconds: Int
    ) -> Int {
        var pruned = 0
        for (question, around) in found {
            // One that another command of this batch is about is left for another time.
            guard questions[question.id] == nil, !writes.prunedQuestions.contains(question.id),
                question.isDispensable(around, keptSeconds: keptSeconds, at: now)
            else { continue }
            writes.prunedQuestions.insert(question.id)
            if question.isCounted(around) { count(question, -1) }
            pruned += 1
        }
        return pruned
    }
}
