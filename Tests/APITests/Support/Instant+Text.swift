import Consent
import JSON

extension Instant {
    /// As the API writes it.
    var text: String { RFC3339.write(microseconds) }

    /// So many days from now, for bodies: a date in a test's own text would pass one day.
    static func inDays(_ days: Int64) -> Instant { TestService.wall().adding(seconds: days * 86_400) }
}
