import Glibc
import Synchronization

/// Holds a folder for this process: an advisory lock on a file beside it, which the kernel lets go when we end, however
/// we end. Any thread may release it.
final class FolderLock: Sendable {
    private let descriptor: Int32
    private let isHeld = Atomic(true)

    /// Takes the lock or says who has it.
    init(beside folder: String) throws(EmbeddedError) {
        let path = folder + ".lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .folder(path, String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let owner = File.read(path).map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) } ?? ""
            close(descriptor)
            throw .inUse(folder: folder, process: owner.isEmpty ? "unknown" : owner)
        }
        let words = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, words, words.count, 0)
    }

    deinit {
        release()
    }

    func release() {
        if isHeld.exchange(false, ordering: .acquiringAndReleasing) { close(descriptor) }
    }
}
