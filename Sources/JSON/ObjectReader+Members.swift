/// One line a member: each looks the member up and reads it as `ValueReader` of the same name does.
extension ObjectReader {
    /// A string whose UTF-8 length lies in `bytes`; `rule` returns a complaint or `nil`.
    package func string(
        _ name: StaticString,
        _ presence: Presence = .required,
        bytes: ClosedRange<Int> = 0...Int.max,
        rule: (String) -> String? = { _ in nil }
    ) -> String? {
        value(name, presence)?.string(bytes: bytes, rule: rule)
    }

    /// A string that `parse` turns into a value of the caller's.
    package func string<Value>(
        _ name: StaticString,
        _ presence: Presence = .required,
        mustBe: @autoclosure () -> String,
        as parse: (String) -> Value?
    ) -> Value? {
        value(name, presence)?.string(mustBe: mustBe(), as: parse)
    }

    /// An integer in `range`.
    package func integer(
        _ name: StaticString,
        _ presence: Presence = .required,
        in range: ClosedRange<Int> = Int.min...Int.max
    ) -> Int? {
        value(name, presence)?.integer(in: range)
    }

    /// `true` or `false`.
    package func bool(_ name: StaticString, _ presence: Presence = .required) -> Bool? {
        value(name, presence)?.bool()
    }

    /// An RFC 3339 timestamp, in microseconds since the Unix epoch.
    package func timestamp(_ name: StaticString, _ presence: Presence = .required) -> Int64? {
        value(name, presence)?.timestamp()
    }

    /// The value that a string names.
    @inlinable
    package func enumeration<Value>(
        _ name: StaticString,
        _ presence: Presence = .required,
        of values: KeyValuePairs<String, Value>
    ) -> Value? {
        value(name, presence)?.enumeration(of: values)
    }

    /// The case whose raw value a string is.
    @inlinable
    package func enumeration<Value: CaseIterable & RawRepresentable<String>>(
        _ name: StaticString,
        _ presence: Presence = .required,
        of type: Value.Type
    ) -> Value? {
        value(name, presence)?.enumeration(of: type)
    }

    /// An object, read member by member; members that `read` did not ask for are errors.
    package func object<Value>(
        _ name: StaticString,
        _ presence: Presence = .required,
        _ read: (ObjectReader) -> Value?
    ) -> Value? {
        value(name, presence)?.object(read)
    }

    /// An array with a number of elements in `count`, each read by `read`.
    package func array<Element>(
        _ name: StaticString,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        _ read: (ValueReader) -> Element?
    ) -> [Element]? {
        value(name, presence)?.array(count: count, read)
    }

    /// An array of strings, each with a UTF-8 length in `bytes`.
    package func strings(
        _ name: StaticString,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        bytes: ClosedRange<Int>,
        rule: (String) -> String? = { _ in nil }
    ) -> [String]? {
        array(name, presence, count: count) { $0.string(bytes: bytes, rule: rule) }
    }

    /// An object whose member names are the caller's choice, such as language tags, in the order sent.
    package func entries<Element>(
        _ name: StaticString,
        _ presence: Presence = .required,
        count: ClosedRange<Int>,
        _ read: (_ name: String, ValueReader) -> Element?
    ) -> [Element]? {
        value(name, presence)?.entries(count: count, read)
    }
}
