import CMalloc

/// The C library's allocator, as a server needs it.
enum Allocator {
    /// Lets each thread keep up to 8 MiB of what it freed. By default 128 KiB are kept: a page of fifty questions passes that, and
    /// the system takes the memory back after each request only to hand it out again page by page.
    ///
    /// Single allocations of 4 MiB and more are still made and given back on their own.
    static func keepFreedMemory() {
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
    }
}
