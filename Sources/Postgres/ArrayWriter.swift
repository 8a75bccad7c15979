/// Writes one array value element by element, straight into the bind buffer.
///
/// Every element must be of the element type the array was opened with; nulls are welcome.
package struct ArrayWriter {
    private var bytes: [UInt8]
    private let start: Int
    private var count: Int32 = 0
    private var hasNull = false

    /// Takes over the buffer and writes the header: dimensions, null flag, element type, length, lower bound.
    init(into bytes: consuming [UInt8], element: PostgresType) {
        self.bytes = bytes
        start = self.bytes.count
        self.bytes.append(bigEndian: Int32(1))
        self.bytes.append(bigEndian: Int32(0))
        self.bytes.append(bigEndian: element.rawValue)
        self.bytes.append(bigEndian: Int32(0))
        self.bytes.append(bigEndian: Int32(1))
    }

    /// Completes the header and gives the buffer back; an empty array has no dimension at all.
    consuming func finish() -> [UInt8] {
        if count == 0 {
            bytes.removeLast(8)
            patch(Int32(0), at: start)
        } else {
            patch(Int32(hasNull ? 1 : 0), at: start + 4)
            patch(count, at: start + 12)
        }
        return bytes
    }

    package mutating func appendNull() {
        count += 1
        hasNull = true
        bytes.append(bigEndian: Int32(-1))
    }

    package mutating func append(text: String?) {
        guard let text else { return appendNull() }
        let utf8 = text.utf8
        open(utf8.count)
        bytes.append(contentsOf: utf8)
    }

    /// Adds a `text` element given as UTF-8.
    package mutating func append(text: some Collection<UInt8>) {
        open(text.count)
        bytes.append(contentsOf: text)
    }

    package mutating func append(bytes value: [UInt8]?) {
        guard let value else { return appendNull() }
        open(value.count)
        bytes.append(contentsOf: value)
    }

    package mutating func append(json: [UInt8]?) {
        append(bytes: json)
    }

    package mutating func append(bool: Bool?) {
        guard let bool else { return appendNull() }
        open(1)
        bytes.append(bool ? 1 : 0)
    }

    package mutating func append(int2: Int16?) {
        guard let int2 else { return appendNull() }
        open(2)
        bytes.append(bigEndian: int2)
    }

    package mutating func append(int4: Int32?) {
        guard let int4 else { return appendNull() }
        open(4)
        bytes.append(bigEndian: int4)
    }

    package mutating func append(int8: Int64?) {
        guard let int8 else { return appendNull() }
        open(8)
        bytes.append(bigEndian: int8)
    }

    package mutating func append(uuid: (high: UInt64, low: UInt64)?) {
        guard let uuid else { return appendNull() }
        open(16)
        bytes.append(bigEndian: uuid.high)
        bytes.append(bigEndian: uuid.low)
    }

    /// Adds a `timestamptz` element given in microseconds since the Unix epoch.
    package mutating func append(timestamp: Int64?) {
        guard let timestamp else { return appendNull() }
        open(8)
        bytes.append(bigEndian: PostgresTime.fromUnix(timestamp))
    }

    private mutating func open(_ length: Int) {
        count += 1
        bytes.append(bigEndian: Int32(clamping: length))
    }

    private mutating func patch(_ value: Int32, at offset: Int) {
        withUnsafeBytes(of: value.bigEndian) { source in
            for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
        }
    }
}
