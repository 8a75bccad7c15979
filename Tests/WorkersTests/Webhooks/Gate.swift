import Glibc

/// A gate that threads wait at until it is opened.
// Sound: the pointer never changes, and POSIX semaphores are made to be used by many threads.
final class Gate: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets everybody through, those who come later too.
    func open() {
        sem_post(semaphore)
    }

    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
        sem_post(semaphore)
    }
}
