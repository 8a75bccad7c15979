import CJansson

/// Reads one JSON value of a body as what the caller wants it to be, or notes what is wrong with it and returns `nil`.
///
/// Array elements and the values of open-ended objects are read through it; named members through `ObjectReader`.
@usableFromInline
package struct ValueReader {
    private let json: UnsafeMutablePointer<json_t>
    private let path: FieldPath
    private let errors: FieldErrors

    init(json: UnsafeMutablePointer<json_t>, path: FieldPath, errors: FieldErrors) {
        self.json = json
        self.path = path
        self.errors = errors
    }

    /// What sort of value this is, for fields that may be of several kinds.
    package var kind: JSONKind { JSONKind(json.pointee.type) }

    /// Notes that this value is wrong for a reason of the caller's; `detail` completes "this field ...".
    package func refuse(_ detail: @autoclosure () -> String) {
        errors.add(detail(), at: path)
    }

    /// A string whose UTF-8 length lies in `bytes` and about which `rule` has no complaint.
    package func string(bytes: ClosedRange<Int> = 0...Int.max, rule: (String) -> String? = { _ in nil }) -> String? {
        guard json.pointee.type == JSON_STRING, bytes.contains(json_string_length(json)) else {
            refuse(Expectation.string(bytes: bytes))
            return nil
        }
        let text = text()
        if let complaint = rule(text) {
            refuse(complaint)
            return nil
        }
        return text
    }

    /// An integer in `range`; `true`, `1.0` and `1e2` are none.
    package func integer(in range: ClosedRange<Int> = Int.min...Int.max) -> Int? {
        if json.pointee.type == JSON_INTEGER {
            let value = Int(json_integer_value(json))
            if range.contains(value) { return value }
        }
        refuse(Expectation.integer(range))
        return nil
    }

    /// `true` or `false`; `0` and `1` are neither.
    package func bool() -> Bool? {
        switch json.pointee.type {
        case JSON_TRUE: return true
        case JSON_FALSE: return false
        default:
            refuse(Expectation.boolean)
            return nil
        }
    }

    /// An RFC 3339 timestamp, in microseconds since the Unix epoch.
    package func timestamp() -> Int64? {
        if json.pointee.type == JSON_STRING, let value = withUTF8({ RFC3339.parse($0) }) { return value }
        refuse(Expectation.timestamp)
        return nil
    }

    /// Reads the members of an object; `nil` after a note when this is none. Its unknown members are not noted yet.
    func members() -> ObjectReader? {
        guard json.pointee.type == JSON_OBJECT else {
            refuse(Expectation.object)
            return nil
        }
        return ObjectReader(json: json, path: path, errors: errors)
    }

    /// A reader for each element of an array; `nil` after a note when this is none or has not as many as `count` says.
    func elements(count: ClosedRange<Int>) -> [ValueReader]? {
        guard json.pointee.type == JSON_ARRAY, count.contains(json_array_size(json)) else {
            refuse(Expectation.array(count: count))
            return nil
        }
        let container = FieldPath.Container.at(path)
        return (0..<json_array_size(json)).compactMap { index in
            json_array_get(json, index).map {
                ValueReader(json: $0, path: FieldPath(container, .element(index)), errors: errors)
            }
        }
    }

    /// A reader for each member of an object, whatever its name, in the order sent; `nil` after a note when this is
    /// none or has not as many as `count` says.
    func namedValues(count: ClosedRange<Int>) -> [(name: String, value: ValueReader)]? {
        guard json.pointee.type == JSON_OBJECT, count.contains(json_object_size(json)) else {
            refuse(Expectation.entries(count: count))
            return nil
        }
        let container = FieldPath.Container.at(path)
        var values: [(name: String, value: ValueReader)] = []
        values.reserveCapacity(json_object_size(json))
        JSONMembers.forEach(of: json) { key, member in
            let name = String(decoding: key, as: UTF8.self)
            let path = FieldPath(container, .entry(name))
            values.append((name, ValueReader(json: member, path: path, errors: errors)))
        }
        return values
    }

    /// The value if it is a string.
    @usableFromInline
    func textIfString() -> String? {
        json.pointee.type == JSON_STRING ? text() : nil
    }

    @usableFromInline
    func refuse(notOneOf names: [String]) {
        refuse(Expectation.oneOf(names))
    }

    private func text() -> String {
        withUTF8 { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a string value; must not be called on any other kind.
    private func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let length = json_string_length(json)
        guard let start = json_string_value(json) else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
        return start.withMemoryRebound(to: UInt8.self, capacity: length) {
            body(UnsafeBufferPointer(start: $0, count: length))
        }
    }
}
