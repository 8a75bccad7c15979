import CJemalloc

/// What the program takes its memory from: jemalloc, linked in front of the C library's allocator.
///
/// A request's objects are made on one thread and released on another, which the C library's allocator has to lock for, and
/// what it frees above 128 KiB, as a page of fifty questions does, it takes back from the system page by page for the next one.
enum Allocator {
    /// The library's version, its number first.
    static var version: String {
        var text: UnsafePointer<CChar>?
        var size = MemoryLayout<UnsafePointer<CChar>?>.size
        guard mallctl("version", &text, &size, nil, 0) == 0, let text else { return "unknown" }
        return String(cString: text)
    }
}
