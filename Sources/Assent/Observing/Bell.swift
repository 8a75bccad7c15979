#if canImport(Glibc)
    import Glibc
#endif

/// A semaphore: threads may ring it and one may wait for it, in any order.
// Sound: the pointer never changes, and POSIX semaphores are made to be used by many threads.
final class Bell: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func ring() {
        sem_post(semaphore)
    }

    /// Waits for one ring; interrupted waits go on.
    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
