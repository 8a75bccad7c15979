import Synchronization

/// Bytes that are made once and then shared by every reply that shows the same record.
///
/// Any thread may ask; the mutex owns the bytes. Two that ask at once may both make them, which are the same.
package final class SharedBytes: Sendable {
    private let made = Mutex<[UInt8]?>(nil)

    package init() {}

    package func bytes(_ make: () -> [UInt8]) -> [UInt8] {
        if let known = made.withLock({ $0 }) { return known }
        let new = make()
        made.withLock { $0 = new }
        return new
    }
}
