import CJansson

/// Reads the named members of one JSON object; belongs to the task that reads the body.
///
/// Each method returns the member's value, or `nil` after noting what is wrong, so that a parser reads every member
/// before it gives up. An optional member that is absent or `null` is `nil` without a note.
@usableFromInline
package final class ObjectReader {
    private let json: UnsafeMutablePointer<json_t>
    private let path: FieldPath
    private let container: FieldPath.Container
    private let errors: FieldErrors
    private var asked: [StaticString] = []
    private var allowsStrangers = false

    init(json: UnsafeMutablePointer<json_t>, path: FieldPath, errors: FieldErrors) {
        self.json = json
        self.path = path
        container = .at(path)
        self.errors = errors
        asked.reserveCapacity(8)
    }

    /// What sort of value a member is; `nil` when it is absent. Asking makes the member known.
    package func kind(_ name: StaticString) -> JSONKind? {
        member(name).map { JSONKind($0.pointee.type) }
    }

    /// The member as it stands, of any kind; `nil` after noting that a required one is missing.
    ///
    /// `null` is handed over for a required member, so that whoever reads it says what it must be instead.
    @usableFromInline
    package func value(_ name: StaticString, _ presence: Presence = .required) -> ValueReader? {
        guard let value = member(name) else {
            if case .required = presence { refuse(name, Expectation.required) }
            return nil
        }
        if case .optional = presence, value.pointee.type == JSON_NULL { return nil }
        return ValueReader(json: value, path: FieldPath(container, .member(name)), errors: errors)
    }

    /// Notes that a member is wrong, or missing, for a reason of the caller's; `detail` completes "this field ...".
    package func refuse(_ name: StaticString, _ detail: @autoclosure () -> String) {
        errors.add(detail(), at: FieldPath(container, .member(name)))
    }

    /// Notes that the object as a whole is wrong, for rules between members.
    package func refuse(_ detail: @autoclosure () -> String) {
        errors.add(detail(), at: path)
    }

    /// Makes members known that nobody reads, so that they are no error.
    package func ignore(_ names: StaticString...) {
        asked += names
    }

    /// Makes every member known, in documents of somebody who may add members later.
    package func ignoreOthers() {
        allowsStrangers = true
    }

    /// Notes every member that nobody asked for; called when the object has been read.
    func refuseUnknownMembers() {
        if allowsStrangers { return }
        JSONMembers.forEach(of: json) { key, _ in
            if !asked.contains(where: { $0.hasBytes(key) }) {
                let name = String(decoding: key, as: UTF8.self)
                errors.add(Expectation.unknown, at: FieldPath(container, .entry(name)))
            }
        }
    }

    private func member(_ name: StaticString) -> UnsafeMutablePointer<json_t>? {
        asked.append(name)
        return name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { json_object_getn(json, $0.baseAddress, $0.count) }
        }
    }
}

extension StaticString {
    fileprivate func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        withUTF8Buffer { $0.count == bytes.count && $0.elementsEqual(bytes) }
    }
}
