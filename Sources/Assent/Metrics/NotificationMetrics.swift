import API
import AppStore
import Consent
import Synchronization

/// What is counted of the App Store's notifications; any thread may record, nothing is locked.
final class NotificationMetrics: Sendable {
    private static let statuses = StoreNotification.Status.allCases
    private static let reasons = TokenRefusal.Reason.allCases

    private let kept = Labeled<5>(statuses.map(\.rawValue))
    private let refused = Labeled<32>(reasons.map(\.rawValue))
    private let limited = Atomic<Int>(0)
    private let postponed = Atomic<Int>(0)

    func record(_ news: NotificationNews) {
        switch news {
        case .kept(let status, _):
            if let place = Self.statuses.firstIndex(of: status) { kept.add(place, 1) }
        case .refused(let reason, let isLimited):
            if let place = Self.reasons.firstIndex(where: { $0.rawValue == reason }) { refused.add(place, 1) }
            if isLimited { limited.wrappingAdd(1, ordering: .relaxed) }
        case .postponed: postponed.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func write(to text: inout Exposition) {
        text.family(
            "assent_app_store_notifications_total", .counter,
            "Notifications of the App Store that were kept, repeats included, by what they came to.")
        for (status, count) in kept.reading { text.sample([("status", status)], count) }
        text.family(
            "assent_app_store_refusals_total", .counter, "Notifications that can never verify, by the reason.")
        for (reason, count) in refused.reading where count > 0 { text.sample([("reason", reason)], count) }
        text.family(
            "assent_app_store_limited_total", .counter, "Those of them whose source had sent too many.")
        text.sample([], limited.load(ordering: .relaxed))
        text.family(
            "assent_app_store_postponed_total", .counter,
            "Notifications answered 503, so that the store sends them again.")
        text.sample([], postponed.load(ordering: .relaxed))
    }
}
