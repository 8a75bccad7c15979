package import HTTPServer

/// What the HTTP face reports; the executable makes log lines and metrics of it.
package enum Observation: Sendable {
    /// An exchange is over.
    case exchange(ExchangeRecord)
    /// Decisions about access were made.
    case decided(AccessTally)
    /// A notification of the App Store came.
    case notification(NotificationNews)
    /// A request was refused because a limit was used up.
    case limited(RatePolicy)
    /// A statement failed in a way nobody foresaw and the caller was told 500; a defect to mend.
    case databaseFault(sqlState: String?, route: String, requestID: String)
}
