import Consent
import Postgres

/// What comes back for the first flight.
extension BatchLoad {
    /// Whether all persons to make sure of came with the batch.
    func metNewcomersAlone(_ results: [ResultSet]) -> Bool {
        places.contains { place in
            guard case .ensured = place.part, results.indices.contains(place.index) else { return false }
            return results[place.index].count == needs.ensured.count
        }
    }

    /// Reads the results into the state that the commands are decided on.
    func state(_ results: [ResultSet]) throws(DatabaseError) -> BatchState {
        var state = BatchState(app: app)
        if let held { state.stores.held = held }
        for (part, index) in places {
            guard index < results.count else { throw Self.missing }
            try read(part, results[index], into: &state)
        }
        // Somebody who was there when the person was made sure of, and erased before they could be locked.
        if needs.ensured.contains(where: { state.row($0) == nil }) || isStale(state) {
            throw DatabaseError(.server, sqlState: "40001", detail: "a person was erased meanwhile")
        }
        state.settle()
        return state
    }

    /// Whether an account that is held changed hands before its person was locked, or went before it was.
    private func isStale(_ state: BatchState) -> Bool {
        guard let held else { return false }
        return held.persons.contains { id, ref in needs.persons.contains(id) && state.row(id)?.ref != ref }
            || needs.ensuredAccounts.contains { held.keys[$0].map { held.rows[$0] == nil } ?? true }
    }

    private func read(_ part: Part, _ result: ResultSet, into state: inout BatchState) throws(DatabaseError) {
        for index in 0..<result.count {
            let row = result[index]
            switch part {
            case .ensured:
                let id = try row.callerID(0)
                guard let ref = own[id] else { throw Self.missing }
                state.created.insert(id)
                state.add(newcomer(id, ref, at: try row.instant(1)))
            case .app:
                state.appRow = try AppTable.decode(row)
            case .appAndMoment:
                if !row.isNull(0) { state.appRow = try AppTable.decode(row) }
                try readMoment(row, AppTable.columnCount, into: &state)
            case .moment: try readMoment(row, 0, into: &state)
            case .keys:
                let key = try KeyTable.decode(row)
                state.keys[key.id] = key
            case .sharedChanges, .lockedChanges:
                let change = try ChangeTable.decode(row)
                state.changes[change.id] = change
            case .ageRatings:
                let rating = try AgeRatingTable.decode(row)
                state.ageRatings[rating.scope] = rating
            case .ratingChangeIDs: state.ratingChangeIDs.insert(try row.callerID(0))
            case .persons: state.add(try PersonTable.decode(row))
            case .idempotency:
                let (name, kept) = try IdempotencyTable.decode(row)
                state.kept[name] = kept
            case .pending: state.add(try QuestionTable.decode(row))
            case .standing:
                let number = Int(try row.int4(0))
                guard subjects.indices.contains(number) else { throw Self.missing }
                state.standing[subjects[number]] = try readAnswered(row, from: 1, into: &state).id
            case .standingOnChanges: state.add(standing: try readAnswered(row, into: &state))
            case .questions: try readAnswered(row, into: &state)
            case .answersOfPersons:
                state.add(try AnswerTable.decode(row, from: 1), to: try row.identifier(0))
            case .links:
                let link = LinkName(personRef: try row.identifier(0), guardian: try row.callerID(1))
                state.add(link, at: try row.instant(2))
            case .acknowledgments: state.add(try AcknowledgmentTable.decode(row))
            case .rescissions: state.add(try RescissionTable.decode(row))
            case .notices: state.stores.add(try kept(row))
            case .accounts:
                if let account = try StoreAccountTable.decode(row) { state.stores.add(account) }
            case .approvals: state.stores.add(approval: try row.instant(1), of: try row.identifier(0))
            case .refusals:
                state.stores.add(
                    refusal: try row.instant(2), of: try row.callerID(1), by: try row.identifier(0))
            case .tickets:
                let held = try StreamTicketTable.decode(row)
                state.tickets.held[held.ticket.hash] = held
            case .pruning(let pruning): try state.read(pruning, row)
            case .webhook(let part): try state.webhooks.read(part, row, needs.webhooks)
            }
        }
    }

    /// Takes a question and, where one stands behind its columns, a guardian's latest answer to it.
    @discardableResult
    private func readAnswered(
        _ row: Row, from first: Int = 0, into state: inout BatchState
    ) throws(DatabaseError) -> Question {
        let question = try QuestionTable.decode(row, from: first)
        state.add(question)
        let answer = first + QuestionTable.columnCount
        if !row.isNull(answer) { state.add(try AnswerTable.decode(row, from: answer), to: question.id) }
        return question
    }

    private func readMoment(_ row: Row, _ first: Int, into state: inout BatchState) throws(DatabaseError) {
        state.now = max(state.now, try row.instant(first))
        state.transaction = try row.xid8(first + 1)
    }

    private func newcomer(_ id: CallerID, _ ref: Identifier, at moment: Instant) -> Person {
        Person(
            id: id, ref: ref, facts: .unknown, revision: 1, createdAt: moment, updatedAt: moment, everLinked: false)
    }

    private func kept(_ row: Row) throws(DatabaseError) -> KeptNotice {
        let notification = try StoreNotificationTable.decode(row)
        return KeptNotice(
            notification: notification, identity: try row.bytes(StoreNotificationTable.columnCount),
            account: try row.bytesOrNil(StoreNotificationTable.columnCount + 1).map { AccountKey(digest: $0) },
            person: try row.callerIDOrNil(StoreNotificationTable.columnCount + 2))
    }

    private static var missing: DatabaseError {
        DatabaseError(.protocolViolation, detail: "a flight came back with fewer results than it had statements")
    }
}
