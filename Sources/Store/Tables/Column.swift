import Consent
import Postgres

/// The domain's values as columns: what every table's decoder and binder shares.
extension Row {
    func identifier(_ column: Int) throws(DatabaseError) -> Identifier {
        let halves = try uuid(column)
        return Identifier(high: halves.high, low: halves.low)
    }

    func identifierOrNil(_ column: Int) throws(DatabaseError) -> Identifier? {
        try uuidOrNil(column).map { Identifier(high: $0.high, low: $0.low) }
    }

    /// The elements of an array without nulls.
    func identifiers(_ column: Int) throws(DatabaseError) -> [Identifier] {
        try uuids(column).compactMap { $0.map { Identifier(high: $0.high, low: $0.low) } }
    }

    func instant(_ column: Int) throws(DatabaseError) -> Instant {
        Instant(microseconds: try timestamp(column))
    }

    func instantOrNil(_ column: Int) throws(DatabaseError) -> Instant? {
        try timestampOrNil(column).map { Instant(microseconds: $0) }
    }

    func callerID(_ column: Int) throws(DatabaseError) -> CallerID {
        CallerID(trusted: try text(column))
    }

    func callerIDOrNil(_ column: Int) throws(DatabaseError) -> CallerID? {
        try textOrNil(column).map { CallerID(trusted: $0) }
    }

    func appID(_ column: Int) throws(DatabaseError) -> AppID {
        AppID(trusted: try text(column))
    }

    /// A closed set of names; a name outside it is a newer server's row or a damaged one.
    func name<Name: RawRepresentable>(_ column: Int, as: Name.Type = Name.self) throws(DatabaseError) -> Name
    where Name.RawValue == String {
        guard let name = try nameOrNil(column, as: Name.self) else { throw foreign(column) }
        return name
    }

    func nameOrNil<Name: RawRepresentable>(
        _ column: Int, as: Name.Type = Name.self
    ) throws(DatabaseError) -> Name? where Name.RawValue == String {
        guard let text = try textOrNil(column) else { return nil }
        guard let name = Name(rawValue: text) else { throw foreign(column) }
        return name
    }

    /// An array of texts without nulls; nil for a null array.
    func plainTextsOrNil(_ column: Int) throws(DatabaseError) -> [String]? {
        guard !isNull(column) else { return nil }
        return try texts(column).compactMap { $0 }
    }

    func foreign(_ column: Int) -> DatabaseError {
        DatabaseError(.protocolViolation, detail: "column \(column) holds a name this version does not know")
    }
}

extension Identifier {
    var halves: (high: UInt64, low: UInt64) { (high, low) }
}

extension Parameters {
    mutating func append(_ app: AppID) { append(text: app.text) }
    mutating func append(_ id: CallerID) { append(text: id.text) }
    mutating func append(_ id: Identifier) { append(uuid: id.halves) }
    mutating func append(_ moment: Instant) { append(timestamp: moment.microseconds) }

    mutating func append(ids: [CallerID]) {
        array(of: .text) { for id in ids { $0.append(text: id.text) } }
    }

    mutating func append(identifiers: [Identifier]) {
        array(of: .uuid) { for id in identifiers { $0.append(uuid: id.halves) } }
    }
}

extension Parameters {
    /// Binds one column of many rows as an array, each element written by `write`.
    mutating func column<Element>(
        _ rows: [Element], of type: PostgresType, _ write: (inout ArrayWriter, Element) -> Void
    ) {
        array(of: type) { writer in
            for row in rows { write(&writer, row) }
        }
    }
}
