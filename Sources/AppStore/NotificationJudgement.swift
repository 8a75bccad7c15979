/// What becomes of a signed notification.
package enum NotificationJudgement: Sendable, Equatable {
    /// Can never verify: not to be kept, and to be answered with a 4xx.
    case refused(TokenRefusal)
    /// Signed by the store and not usable here: to be kept with the reason, acknowledged, and acted on by nobody.
    case quarantined(NotificationRecord, Objection)
    /// Signed by the store and about this app.
    case accepted(AppStoreNotification)
}

/// What becomes of a signed app transaction that a service hands in.
package enum AppTransactionJudgement: Sendable, Equatable {
    /// Can never verify.
    case refused(TokenRefusal)
    /// Signed by the store, and about something else or incomplete.
    case unusable(Objection)
    /// Signed by the store and about this app.
    case accepted(AppTransaction)
}
