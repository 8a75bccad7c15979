/// The methods that hand back a type of the caller's.
///
/// Enumerations are inlinable: compiled where the type is known, they need no look-ups of generic metadata, which would
/// take longer than the comparison itself.
extension ValueReader {
    /// A string that `parse` turns into a value; whatever it refuses, and any other kind, `mustBe` describes.
    package func string<Value>(mustBe: @autoclosure () -> String, as parse: (String) -> Value?) -> Value? {
        if let text = textIfString(), let value = parse(text) { return value }
        refuse(mustBe())
        return nil
    }

    /// The value that a string names, byte by byte.
    ///
    /// `==` sorts out nearly all names quickly but is canonical: "K" equals the Kelvin sign in it, so bytes decide.
    @inlinable
    package func enumeration<Value>(of values: KeyValuePairs<String, Value>) -> Value? {
        if let text = textIfString() {
            for (name, value) in values where name == text && name.utf8.elementsEqual(text.utf8) { return value }
        }
        refuse(notOneOf: values.map(\.key))
        return nil
    }

    /// The case whose raw value a string is, byte by byte.
    @inlinable
    package func enumeration<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Value? {
        if let text = textIfString(), let value = Value(rawValue: text), value.rawValue.utf8.elementsEqual(text.utf8) {
            return value
        }
        refuse(notOneOf: Value.allCases.map(\.rawValue))
        return nil
    }

    /// An object, read member by member; members that `read` did not ask for are noted as unknown.
    package func object<Value>(_ read: (ObjectReader) -> Value?) -> Value? {
        guard let reader = members() else { return nil }
        let value = read(reader)
        reader.refuseUnknownMembers()
        return value
    }

    /// An array with a number of elements in `count`; a longer one is not looked into. `nil` when any element was wrong.
    package func array<Element>(count: ClosedRange<Int>, _ read: (ValueReader) -> Element?) -> [Element]? {
        guard let readers = elements(count: count) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(readers.count)
        for reader in readers {
            if let element = read(reader) { elements.append(element) }
        }
        return elements.count == readers.count ? elements : nil
    }

    /// An object whose member names are the caller's choice, in the order sent; `nil` when any member was wrong.
    package func entries<Element>(
        count: ClosedRange<Int>,
        _ read: (_ name: String, ValueReader) -> Element?
    ) -> [Element]? {
        guard let members = namedValues(count: count) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(members.count)
        for (name, value) in members {
            if let element = read(name, value) { elements.append(element) }
        }
        return elements.count == members.count ? elements : nil
    }
}
