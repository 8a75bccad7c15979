import Consent
import Postgres

/// Table `rescission`: consent taken back.
enum RescissionTable {
    private static let columns = """
        r.person_ref, r.number, r.scope, r.change_id, r.reason, r.source, r.effective_at, r.received_at, r.ended,
        r.voided, r.freezes, r.ended_at, r.notification_id, r.environment, r.within_margin
        """

    /// Those of the persons with the ids $2, as they were learnt of.
    static let ofPersons = Statement(
        "rescission_of_persons",
        """
        select \(columns) from unnest($2::text[]) as n(id)
        cross join lateral (
            select p.ref from person p where p.app_id = $1 and p.id = n.id collate "C" limit 1
        ) p
        cross join lateral (
            select * from rescission r where r.app_id = $1 and r.person_ref = p.ref offset 0
        ) r
        order by r.person_ref, r.number
        """,
        parameterTypes: [.text, .textArray])

    /// Of one that is there only its end can have changed.
    static let put = Statement(
        "rescission_put",
        """
        insert into rescission (app_id, person_ref, number, scope, change_id, reason, source, effective_at, received_at,
            ended, voided, freezes, ended_at, notification_id, environment, within_margin)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        on conflict (app_id, person_ref, number) do update set ended_at = excluded.ended_at
        """,
        parameterTypes: [
            .text, .uuid, .int4, .text, .text, .text, .text, .timestamptz, .timestamptz, .uuidArray, .uuidArray,
            .bool, .timestamptz, .uuid, .text, .uuidArray,
        ])

    static func decode(_ row: Row) throws(DatabaseError) -> Rescission {
        Rescission(
            personRef: try row.identifier(0), number: Int(try row.int4(1)), scope: try scope(row, 2),
            reason: try row.textOrNil(4), source: try row.name(5), effectiveAt: try row.instant(6),
            receivedAt: try row.instant(7), notice: try notice(row, 12), ended: try row.identifiers(8),
            voided: try row.identifiers(9), withinMargin: try row.identifiers(14), freezes: try row.bool(10),
            endedAt: try row.instantOrNil(11))
    }

    private static func notice(_ row: Row, _ first: Int) throws(DatabaseError) -> Rescission.Notice? {
        guard let id = try row.identifierOrNil(first) else { return nil }
        return Rescission.Notice(id: id, environment: try row.name(first + 1))
    }

    private static func scope(_ row: Row, _ first: Int) throws(DatabaseError) -> RescissionScope {
        switch try row.name(first, as: RescissionScope.Kind.self) {
        case .person: .person
        case .change: .change(try row.callerID(first + 1))
        }
    }

    static func binds(_ app: AppID, _ rescission: Rescission) -> Parameters {
        var binds = Parameters(capacity: 256 + 32 * rescission.ended.count)
        binds.append(app)
        binds.append(rescission.personRef)
        binds.append(int4: Int32(clamping: rescission.number))
        binds.append(text: rescission.scope.kind.rawValue)
        binds.append(text: rescission.scope.change?.text)
        binds.append(text: rescission.reason)
        binds.append(text: rescission.source.rawValue)
        binds.append(rescission.effectiveAt)
        binds.append(rescission.receivedAt)
        binds.append(identifiers: rescission.ended)
        binds.append(identifiers: rescission.voided)
        binds.append(bool: rescission.freezes)
        binds.append(timestamp: rescission.endedAt?.microseconds)
        binds.append(uuid: rescission.notice?.id.halves)
        binds.append(text: rescission.notice?.environment.rawValue)
        binds.append(identifiers: rescission.withinMargin)
        return binds
    }
}
