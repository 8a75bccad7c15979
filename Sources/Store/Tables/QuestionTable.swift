import Consent
import Postgres

/// Table `question`: how its rows are read.
enum QuestionTable {
    /// The columns `decode` reads, of a row named `q`, in its order.
    static let columns = """
        q.id, q.person_ref, q.topic, q.topic_value, q.handles, q.reusable, q.description, q.language, q.quorum,
        q.expiration, q.created_at, q.updated_at, q.revision, q.state, q.ever_approved, q.resolved_by,
        q.resolved_guardian, q.resolved_at, q.resolved_reason, q.superseded_by, q.reminded_at
        """
    static let columnCount = 21

    /// Reads the columns above, which start at `first`; answers are not among them.
    static func decode(_ row: Row, from first: Int = 0) throws(DatabaseError) -> Question {
        let state = try row.name(first + 13, as: QuestionState.self)
        let resolution = try resolution(row, first + 15)
        guard (state == .pending) == (resolution == nil) else { throw row.foreign(first + 13) }
        return Question(
            id: try row.identifier(first), personRef: try row.identifier(first + 1),
            topic: try topic(row, first + 2), description: try row.text(first + 6),
            language: try row.textOrNil(first + 7), quorum: Int(try row.int2(first + 8)),
            expiration: try row.instant(first + 9), createdAt: try row.instant(first + 10),
            revision: Int(try row.int4(first + 12)), state: state, everApproved: try row.bool(first + 14),
            resolution: resolution, supersededBy: try row.identifierOrNil(first + 19),
            updatedAt: try row.instant(first + 11), remindedAt: try row.instantOrNil(first + 20))
    }

    private static func topic(_ row: Row, _ first: Int) throws(DatabaseError) -> Topic {
        switch try row.name(first, as: Topic.Kind.self) {
        case .significantAppUpdate: return .significantAppUpdate(change: try row.callerID(first + 1))
        case .purchase: return .purchase(product: try row.callerID(first + 1))
        case .custom:
            return .custom(subject: try row.callerID(first + 1), reusable: try row.bool(first + 3))
        case .communication:
            guard let handles = try row.plainTextsOrNil(first + 2) else { throw row.foreign(first + 2) }
            return .communication(handles: handles.map { CallerID(trusted: $0) })
        }
    }

    private static func resolution(_ row: Row, _ first: Int) throws(DatabaseError) -> Resolution? {
        guard let name = try row.nameOrNil(first, as: ResolverName.self) else { return nil }
        let guardian = try row.callerIDOrNil(first + 1)
        guard let resolver = name.resolver(guardian: guardian) else { throw row.foreign(first + 1) }
        return Resolution(by: resolver, at: try row.instant(first + 2), reason: try row.textOrNil(first + 3))
    }
}

/// The resolver's name in the database and in events.
enum ResolverName: String {
    case guardian, child, silence, rescission, withdrawal, admin

    init(_ resolver: Resolution.Resolver) {
        switch resolver {
        case .guardian: self = .guardian
        case .child: self = .child
        case .silence: self = .silence
        case .rescission: self = .rescission
        case .withdrawal: self = .withdrawal
        case .admin: self = .admin
        }
    }

    /// Nil when a guardian is named without an id.
    func resolver(guardian: CallerID?) -> Resolution.Resolver? {
        switch self {
        case .guardian: guardian.map { .guardian($0) }
        case .child: .child
        case .silence: .silence
        case .rescission: .rescission
        case .withdrawal: .withdrawal
        case .admin: .admin
        }
    }
}

extension Resolution {
    /// The guardian who resolved it, when a guardian did.
    var guardian: CallerID? {
        if case .guardian(let guardian) = by { return guardian }
        return nil
    }
}
