/// Bind values in the order of the statement's `$1, $2, …`, encoded in PostgreSQL's binary format into one buffer.
package struct Parameters: Sendable {
    /// Where one value lies in `bytes`; a null has a negative length.
    struct Slot: Sendable {
        let offset: Int
        let length: Int32
    }

    var bytes: [UInt8] = []
    private(set) var slots: [Slot] = []

    /// No values yet; `capacity` is the expected size of all of them in bytes.
    package init(capacity: Int = 64) {
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { slots.count }

    /// Binds a `text` (or any type whose binary form is its text, such as `json` or `varchar`).
    package mutating func append(text: String?) {
        guard let text else { return appendNull() }
        value { $0.append(contentsOf: text.utf8) }
    }

    /// Binds a `text` given as UTF-8.
    package mutating func append(text: some Collection<UInt8>) {
        value { $0.append(contentsOf: text) }
    }

    /// Binds a `bytea`.
    package mutating func append(bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        value { $0.append(contentsOf: bytes) }
    }

    /// Binds a `json` given as UTF-8.
    package mutating func append(json: [UInt8]?) {
        append(bytes: json)
    }

    package mutating func append(bool: Bool?) {
        guard let bool else { return appendNull() }
        value { $0.append(bool ? 1 : 0) }
    }

    package mutating func append(int2: Int16?) {
        guard let int2 else { return appendNull() }
        value { $0.append(bigEndian: int2) }
    }

    package mutating func append(int4: Int32?) {
        guard let int4 else { return appendNull() }
        value { $0.append(bigEndian: int4) }
    }

    package mutating func append(int8: Int64?) {
        guard let int8 else { return appendNull() }
        value { $0.append(bigEndian: int8) }
    }

    /// Binds a `uuid` given as its big-endian halves.
    package mutating func append(uuid: (high: UInt64, low: UInt64)?) {
        guard let uuid else { return appendNull() }
        value {
            $0.append(bigEndian: uuid.high)
            $0.append(bigEndian: uuid.low)
        }
    }

    /// Binds a `timestamptz` given in microseconds since the Unix epoch.
    package mutating func append(timestamp: Int64?) {
        guard let timestamp else { return appendNull() }
        value { $0.append(bigEndian: PostgresTime.fromUnix(timestamp)) }
    }

    package mutating func appendNull() {
        slots.append(Slot(offset: bytes.count, length: -1))
    }

    /// Adds one value written by `write` and records where it lies.
    mutating func value(_ write: (inout [UInt8]) -> Void) {
        let offset = bytes.count
        write(&bytes)
        // libpq takes lengths as Int32; what is longer cannot be sent and the server's limit is half of that anyway.
        slots.append(Slot(offset: offset, length: Int32(clamping: bytes.count - offset)))
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
