/// Writes JSON as bytes, value by value, putting the commas itself.
///
/// Nothing is checked: the caller closes what it opens and gives each member one key and one value. Names and values
/// come out in the order written, without blanks. The array is kept filled beyond what is written, so that a value
/// costs one capacity check and no reallocation.
package struct JSONWriter: Sendable {
    private var storage: [UInt8]
    private var used = 0
    /// Whether another member or element, if one follows, needs a comma before it.
    private var followsValue = false

    /// A writer with room for `capacity` bytes before it has to grow.
    package init(capacity: Int = 1_024) {
        storage = [UInt8](repeating: 0, count: max(64, capacity))
    }

    /// How many bytes are written.
    package var count: Int { used }

    /// What was written; the writer is empty afterwards.
    package mutating func finish() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &storage)
        bytes.removeLast(bytes.count - used)
        used = 0
        followsValue = false
        return bytes
    }

    /// Opens an object; a key comes next, or its end.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Closes the object opened last.
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Opens an array; a value comes next, or its end.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// Closes the array opened last.
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// The name of the member whose value is written next; it is copied as it is and must need no escaping.
    package mutating func key(_ name: StaticString) {
        let comma = followsValue
        name.withUTF8Buffer { bytes in
            append(atMost: bytes.count + 4) { target in
                var end = target
                if comma { end.put(UInt8(ascii: ",")) }
                end.put(UInt8(ascii: "\""))
                end.put(bytes)
                end.put(UInt8(ascii: "\""))
                end.put(UInt8(ascii: ":"))
                return end
            }
        }
        followsValue = false
    }

    /// The name of the member whose value is written next, where the data chose it, such as a language tag.
    package mutating func key(escaping name: String) {
        string(name)
        append(atMost: 1) { target in
            target.pointee = UInt8(ascii: ":")
            return target + 1
        }
        followsValue = false
    }

    /// Bytes that are one JSON value already.
    package mutating func raw(_ value: [UInt8]) {
        value.withUnsafeBufferPointer { bytes in
            appendValue(atMost: bytes.count) { target in
                var end = target
                end.put(bytes)
                return end
            }
        }
    }

    private mutating func open(_ bracket: UInt8) {
        appendValue(atMost: 1) { target in
            var end = target
            end.put(bracket)
            return end
        }
        followsValue = false
    }

    private mutating func close(_ bracket: UInt8) {
        append(atMost: 1) { target in
            var end = target
            end.put(bracket)
            return end
        }
        followsValue = true
    }

    /// Appends a value, with a comma before it where one is due.
    @inline(__always)
    mutating func appendValue(
        atMost size: Int,
        _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        let comma = followsValue
        append(atMost: size + 1) { target in
            if comma {
                target.pointee = UInt8(ascii: ",")
                return write(target + 1)
            }
            return write(target)
        }
        followsValue = true
    }

    /// Makes room for `size` bytes, lets `write` fill it and takes over what lies before the end it returns.
    @inline(__always)
    mutating func append(
        atMost size: Int,
        _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        if storage.count - used < size { grow(by: size) }
        let start = used
        used = storage.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return start }
            return write(base + start) - base
        }
    }

    @inline(never)
    private mutating func grow(by size: Int) {
        let wanted = max(storage.count * 2, used + size)
        storage.append(contentsOf: repeatElement(0, count: wanted - storage.count))
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Writes one byte and moves past it.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        pointee = byte
        self += 1
    }

    /// Copies bytes and moves past them.
    @inline(__always)
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        update(from: start, count: bytes.count)
        self += bytes.count
    }
}
