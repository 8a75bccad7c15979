/// Measures how deep a body nests before any recursive code sees it, so that no body can exhaust a thread's stack.
enum Nesting {
    /// Whether arrays and objects stand more than `maximum` deep inside one another.
    ///
    /// Counts opening brackets first, wherever they stand: a body with no more than `maximum` of them, which is nearly
    /// every body, cannot be too deep, and that count is a loop without branches. Only then strings are told apart.
    static func exceeds(_ maximum: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var opening = 0
        for byte in bytes where byte & 0xDF == 0x5B {  // "[" and "{" differ in bit 5 only
            opening &+= 1
        }
        return opening > maximum && deepest(in: bytes, stoppingPast: maximum) > maximum
    }

    private static func deepest(in bytes: UnsafeBufferPointer<UInt8>, stoppingPast maximum: Int) -> Int {
        var depth = 0
        var inString = false
        var escaped = false
        for byte in bytes {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > maximum { return depth }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return depth
    }
}
