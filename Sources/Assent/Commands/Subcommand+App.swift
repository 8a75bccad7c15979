import Consent
import Store

extension Subcommand {
    static let appCreate = Subcommand(
        "app", "create", summary: "Register an application.",
        details: "Everything else about it, its policy included, is set through PUT /v1/apps/{app}.",
        operands: ["id"],
        options: [
            Option("name", "text", "what people call it; by default its id"),
            Option("origin", "origin", repeats: true, "a web origin that browsers may call from; may be repeated"),
        ],
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            guard let id = AppID(invocation.operands[0]) else {
                return invocation.complain("<id> must be 1 to 64 of a-z, 0-9 and '-'", surroundings)
            }
            let name = invocation.value("name") ?? id.text
            guard OneLine.isValid(name, bytes: 1...200) else {
                return invocation.complain("--name must be 1 to 200 bytes without control characters", surroundings)
            }
            let origins = invocation.values("origin")
            guard origins.allSatisfy(Origin.isValid), origins.count <= 50 else {
                return invocation.complain(
                    "--origin must be a web origin as a browser sends it, such as https://app.example; at most 50",
                    surroundings)
            }
            let settings = AppSettings(name: name, allowedOrigins: Names.sortedSet(origins))
            return await StoreTask(invocation, surroundings).run { store, _ throws(StartFailure) in
                _ = try await store.carryOut(.putApp(settings, .absent), for: id)
                surroundings.console.say("Created \(id.text).")
                return .success
            }
        })

    static let appList = Subcommand(
        "app", "list", summary: "List the applications.",
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            await StoreTask(invocation, surroundings).run { store, _ throws(StartFailure) in
                var last: AppID?
                while true {
                    let after = last
                    let page = try await store.look { store throws(StoreFailure) in
                        try await store.apps(after: after, limit: 100)
                    }
                    for app in page.rows { surroundings.console.say("\(app.id.text)  \(app.settings.name)") }
                    guard page.more, let next = page.rows.last else { return .success }
                    last = next.id
                }
            }
        })
}
