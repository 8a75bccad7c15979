import CJansson

/// Walks the members of a JSON object in the order they were sent.
enum JSONMembers {
    static func forEach(
        of object: UnsafeMutablePointer<json_t>,
        _ body: (_ key: UnsafeBufferPointer<UInt8>, _ value: UnsafeMutablePointer<json_t>) -> Void
    ) {
        var iterator = json_object_iter(object)
        while let member = iterator {
            let length = json_object_iter_key_len(member)
            if let key = json_object_iter_key(member), let value = json_object_iter_value(member) {
                key.withMemoryRebound(to: UInt8.self, capacity: length) {
                    body(UnsafeBufferPointer(start: $0, count: length), value)
                }
            }
            iterator = json_object_iter_next(object, member)
        }
    }
}
