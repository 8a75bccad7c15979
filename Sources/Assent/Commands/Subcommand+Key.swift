import Consent
import FoundationEssentials
import JSON
import Store

extension Subcommand {
    static let keyCreate = Subcommand(
        "key", "create", summary: "Create an API key and print it, once.",
        details: "Only its SHA-256 is stored: a key that is lost is replaced, not read.",
        options: [
            Option("role", "admin|service|viewer", required: true, "what its holder may do"),
            Option("app", "id", "the app it is for; required unless the role is admin"),
            Option("label", "text", "what it is for, for people; at most 200 bytes"),
            Option(
                "rate-limit", "n/time", "requests that it may make of each server, such as 100/1s; else as for all keys"
            ),
        ],
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            guard let role = Role(rawValue: invocation.value("role") ?? "") else {
                return invocation.complain("--role must be admin, service or viewer", surroundings)
            }
            let label = invocation.value("label") ?? ""
            guard OneLine.isValid(label, bytes: 0...200) else {
                return invocation.complain("--label must be at most 200 bytes without control characters", surroundings)
            }
            let rateLimit = invocation.value("rate-limit").map(RateLimitText.parse)
            if case .some(nil) = rateLimit {
                return invocation.complain("--rate-limit must be \(RateLimitText.expectation)", surroundings)
            }
            guard let app = invocation.app else { return invocation.complain(AppOption.form, surroundings) }
            if (role == .admin) != (app.id == nil) {
                return invocation.complain(
                    role == .admin ? "an admin's key belongs to no app" : "--app is required for this role",
                    surroundings)
            }
            return await StoreTask(invocation, surroundings).run { _, desk throws(StartFailure) in
                let key = try await desk.issue(role, app: app.id, label: label, rateLimit: rateLimit ?? nil)
                surroundings.console.say(key.text)
                return .success
            }
        })

    static let keyList = Subcommand(
        "key", "list", summary: "List the keys in force, of one app or of the admins.",
        options: [Option("app", "id", "the app; without it the admins' keys")],
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            guard let app = invocation.app else { return invocation.complain(AppOption.form, surroundings) }
            return await StoreTask(invocation, surroundings).run { store, desk throws(StartFailure) in
                if let id = app.id { try await store.require(id) }
                for key in try await desk.keys(of: app.id) {
                    let created = RFC3339.write(key.createdAt.microseconds)
                    let limit = key.rateLimit.map(RateLimitText.show) ?? ""
                    let row = [key.id.text, key.role.rawValue, created, limit, key.label]
                    surroundings.console.say(row.filter { !$0.isEmpty }.joined(separator: "  "))
                }
                return .success
            }
        })

    static let keyRevoke = Subcommand(
        "key", "revoke", summary: "Revoke a key; every instance refuses it within five seconds.",
        operands: ["id"],
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            guard let id = Identifier(invocation.operands[0]) else {
                return invocation.complain("<id> must be a key's id, as 'assent key list' shows it", surroundings)
            }
            return await StoreTask(invocation, surroundings).run { _, desk throws(StartFailure) in
                guard try await desk.revoke(id) else { throw .failed("there is no key \(id.text) in force") }
                surroundings.console.say("Revoked \(id.text).")
                return .success
            }
        })
}
