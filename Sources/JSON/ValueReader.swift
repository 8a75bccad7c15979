import CJansson

/// Reads one JSON value of a body as what the caller wants it to be, or notes what is wrong with it and returns `nil`.
///
/// Array elements and the values of open-ended objects are read through it; named members through `ObjectReader`.
package struct ValueReader {
    private let document: JSONDocument
    private let json: UnsafeMutablePointer<json_t>
    private let path: FieldPath
    private let errors: FieldErrors

    init(document: JSONDocument, json: UnsafeMutablePointer<json_t>, path: FieldPath, errors: FieldErrors) {
        self.document = document
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

    /// A string that `parse` turns into a value; whatever it refuses, and any other kind, `mustBe` describes.
    package func string<Value>(mustBe: @autoclosure () -> String, as parse: (String) -> Value?) -> Value? {
        if json.pointee.type == JSON_STRING, let value = parse(text()) { return value }
        refuse(mustBe())
        return nil
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

    /// The value that a string names, compared byte by byte.
    package func enumeration<Value>(of values: KeyValuePairs<String, Value>) -> Value? {
        if json.pointee.type == JSON_STRING {
            let match = withUTF8 { text in values.first { $0.key.utf8.elementsEqual(text) } }
            if let match { return match.value }
        }
        refuse(Expectation.oneOf(values.map(\.key)))
        return nil
    }

    /// The case whose raw value a string is, compared byte by byte.
    package func enumeration<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Value? {
        if json.pointee.type == JSON_STRING {
            // The raw-value look-up compares canonically ("K" and the Kelvin sign are equal to it): check the bytes.
            let text = text()
            if let value = Value(rawValue: text), value.rawValue.utf8.elementsEqual(text.utf8) { return value }
        }
        refuse(Expectation.oneOf(Value.allCases.map(\.rawValue)))
        return nil
    }

    /// An object, read member by member; members that `read` did not ask for are noted as unknown.
    package func object<Value>(_ read: (ObjectReader) -> Value?) -> Value? {
        guard json.pointee.type == JSON_OBJECT else {
            refuse(Expectation.object)
            return nil
        }
        let reader = ObjectReader(document: document, json: json, path: path, errors: errors)
        let value = read(reader)
        reader.refuseUnknownMembers()
        return value
    }

    /// An array with a number of elements in `count`; a longer one is not looked into. `nil` when any element was wrong.
    package func array<Element>(count: ClosedRange<Int>, _ read: (ValueReader) -> Element?) -> [Element]? {
        guard json.pointee.type == JSON_ARRAY, count.contains(json_array_size(json)) else {
            refuse(Expectation.array(count: count))
            return nil
        }
        let size = json_array_size(json)
        var elements: [Element] = []
        elements.reserveCapacity(size)
        for index in 0..<size {
            guard let element = json_array_get(json, index) else { continue }
            let reader = ValueReader(
                document: document, json: element, path: .element(path, index), errors: errors)
            if let value = read(reader) { elements.append(value) }
        }
        return elements.count == size ? elements : nil
    }

    /// An object whose member names are the caller's choice, in the order sent; `nil` when any member was wrong.
    package func entries<Element>(
        count: ClosedRange<Int>,
        _ read: (_ name: String, ValueReader) -> Element?
    ) -> [Element]? {
        guard json.pointee.type == JSON_OBJECT, count.contains(json_object_size(json)) else {
            refuse(Expectation.entries(count: count))
            return nil
        }
        let size = json_object_size(json)
        var elements: [Element] = []
        elements.reserveCapacity(size)
        JSONMembers.forEach(of: json) { key, member in
            let name = String(decoding: key, as: UTF8.self)
            let reader = ValueReader(document: document, json: member, path: .entry(path, name), errors: errors)
            if let value = read(name, reader) { elements.append(value) }
        }
        return elements.count == size ? elements : nil
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
