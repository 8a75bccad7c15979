import Consent
import Store

extension Subcommand {
    static let feedRenew = Subcommand(
        "feed", "renew", summary: "Give an app's event log a new feed id.",
        details: """
            To be run after a backup was restored or a failover lost transactions: positions that readers remember from
            before are refused from then on, instead of silently meaning something else.
            """,
        options: [Option("app", "id", required: true, "the app")],
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            guard let app = invocation.app?.id else { return invocation.complain(AppOption.form, surroundings) }
            return await StoreTask(invocation, surroundings).run { _, desk throws(StartFailure) in
                guard let feed = try await desk.renewFeed(of: app) else {
                    throw .failed("there is no app '\(app.text)'")
                }
                surroundings.console.say("The feed of \(app.text) is now \(feed).")
                return .success
            }
        })
}
