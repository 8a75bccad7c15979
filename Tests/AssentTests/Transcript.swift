import Synchronization

@testable import Assent

/// A console that keeps what is written to it; a mutex owns the texts.
final class Transcript: Console {
    private let texts = Mutex<(said: String, complained: String)>(("", ""))

    var said: String { texts.withLock { $0.said } }
    var complained: String { texts.withLock { $0.complained } }

    func say(_ text: String) { texts.withLock { $0.said += text + "\n" } }
    func complain(_ text: String) { texts.withLock { $0.complained += text + "\n" } }
}
