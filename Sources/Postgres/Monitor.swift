import Glibc

/// A mutex with conditions that wait on the monotonic clock.
///
/// Any thread may call it. Its owner locks and unlocks around plain stored properties of its own; they are not handed
/// in as an `inout`, because a wait lets other threads change them in the middle of the access.
// Sound: the pointers never change, and what they point to is made to be used by many threads.
final class Monitor: @unchecked Sendable {
    /// One reason to wait.
    final class Condition: @unchecked Sendable {  // sound for the same reason
        fileprivate let pointer = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

        init() {
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(pointer, &attributes)
            pthread_condattr_destroy(&attributes)
        }

        deinit {
            pthread_cond_destroy(pointer)
            pointer.deallocate()
        }

        func signal() { pthread_cond_signal(pointer) }
        func broadcast() { pthread_cond_broadcast(pointer) }
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }

    /// Runs `body` under the lock; it must not wait.
    func locked<Value>(_ body: () -> Value) -> Value {
        lock()
        defer { unlock() }
        return body()
    }

    /// Gives the lock up until signalled or until `limit`, then takes it again. Wakes without reason now and then.
    func wait(for condition: Condition, until limit: MonotonicTime) {
        guard limit != .never else {
            pthread_cond_wait(condition.pointer, mutex)
            return
        }
        var time = timespec(
            tv_sec: Int(limit.nanoseconds / 1_000_000_000), tv_nsec: Int(limit.nanoseconds % 1_000_000_000))
        pthread_cond_timedwait(condition.pointer, mutex, &time)
    }
}
