import Consent
import Synchronization

/// Questions that lists showed lately, so that a page costs the database only which rows are on it and their revisions.
///
/// A revision names all that is ever shown of a question: whatever changes it, also the erasure of its person, raises the
/// revision. Its moment is compared too, for a database restored to an earlier day counts the same revisions again. What
/// the clock changes is looked at here. So a record is used only for what the database just named, and nothing is ever
/// stale. Bounded: a full generation becomes the old one, and the old one is dropped.
///
/// Shared by the reading threads; the mutex owns the two generations.
final class QuestionShelf: Sendable {
    private struct Generations {
        var young: [Identifier: QuestionRecord] = [:]
        var old: [Identifier: QuestionRecord] = [:]
    }

    private let capacity: Int
    private let generations = Mutex(Generations())

    /// `capacity` bounds each of the two generations; a question takes about two kilobytes with its rendering.
    init(capacity: Int = 4_096) {
        self.capacity = capacity
    }

    /// The records of those rows that are here as they are now, by id.
    func take(_ rows: [QuestionRow], of app: AppID) -> [Identifier: QuestionRecord] {
        generations.withLock { generations in
            var found: [Identifier: QuestionRecord] = [:]
            found.reserveCapacity(rows.count)
            for row in rows {
                if let record = generations.young[row.id] {
                    if row.isShown(by: record, of: app) { found[row.id] = record }
                } else if let record = generations.old[row.id], row.isShown(by: record, of: app) {
                    found[row.id] = record
                    generations.young[row.id] = record
                }
            }
            return found
        }
    }

    func put(_ records: some Sequence<QuestionRecord>) {
        generations.withLock { generations in
            for record in records {
                if generations.young.count >= capacity {
                    generations.old = generations.young
                    generations.young = [:]
                }
                generations.young[record.question.id] = record
            }
        }
    }
}

/// A row of a list as the database names it.
struct QuestionRow {
    let id: Identifier
    let revision: Int
    let updatedAt: Instant
    /// When it was read.
    let readAt: Instant

    /// Whether a record shows the row as it reads now: the same revision, on the same side of the expiration.
    func isShown(by record: QuestionRecord, of app: AppID) -> Bool {
        record.app == app && record.question.revision == revision && record.question.updatedAt == updatedAt
            && record.question.isPastExpiration(at: record.readAt) == record.question.isPastExpiration(at: readAt)
    }
}
