import Consent
import Synchronization

/// Foretells whether all whom an app's next batch makes sure of are new, as they are when a change is asked about for the first
/// time: when they were in the last few batches.
///
/// Any thread may call it. A wrong forecast costs a batch a second first flight, so one that came true rarely is not made.
final class NewcomerForecast: Sendable {
    /// So many batches in a row must have been of newcomers alone.
    private let batches: Int
    /// How many there were, of the apps whose last was.
    private let streaks = Mutex<[AppID: Int]>([:])

    init(after batches: Int) {
        self.batches = batches
    }

    func expectsNewcomers(in app: AppID) -> Bool {
        streaks.withLock { ($0[app] ?? 0) >= batches }
    }

    func learn(_ metNewcomersAlone: Bool, in app: AppID) {
        streaks.withLock { $0[app] = metNewcomersAlone ? min(($0[app] ?? 0) + 1, batches) : nil }
    }
}
