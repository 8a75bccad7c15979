import API
import Consent
import Crypto
import JSON
import Store

extension Subcommand {
    static let signingKeyRotate = Subcommand(
        "signing-key", "rotate", summary: "Make the next key that signs browsers' tokens.",
        details: """
            The new key is published at once and signs ten minutes later, when whoever keeps the published keys knows it; tokens
            signed before stay good until they end. Keys also follow each other by age (--signing-key-days of 'serve').
            """,
        options: [
            Option(
                "at-once", nil,
                "let it sign now and take every earlier key away: all tokens end within five seconds, as after a theft")
        ],
        settings: Setting.databaseTable + Setting.secretsTable,
        run: { invocation, surroundings in
            await StoreTask(invocation, surroundings).run { store, _, configuration throws(StartFailure) in
                guard let secrets = try SecretBox.find(configuration) else {
                    throw .configuration("no secret key is set (ASSENT_SECRET_KEY or --secret-key-file)")
                }
                let stored = try await store.look { store throws(StoreFailure) in try await store.signingKeys() }
                let isAtOnce = invocation.has("at-once")
                let lead = isAtOnce || stored.keys.isEmpty ? 0 : SigningSchedule.leadSeconds
                let fresh: NewSigningKey
                do {
                    fresh = try NewSigningKey.make(
                        after: stored.keys.last?.id, leadSeconds: lead, replacesAll: isAtOnce, at: stored.now, secrets)
                } catch {
                    throw .failed("a key cannot be made")
                }
                guard try await store.look({ store throws(StoreFailure) in try await store.add(fresh) }) else {
                    throw .failed("another key was made at the same moment; run it again if you still want one more")
                }
                let from = RFC3339.write(stored.now.adding(seconds: Int64(lead)).microseconds)
                surroundings.console.say("\(fresh.id.text) signs from \(from) on.")
                return .success
            }
        })

    static let signingKeyList = Subcommand(
        "signing-key", "list", summary: "List the keys that sign browsers' tokens, and what each does now.",
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            await StoreTask(invocation, surroundings).run { store, _, _ throws(StartFailure) in
                let stored = try await store.look { store throws(StoreFailure) in try await store.signingKeys() }
                let schedule = SigningSchedule(stored)
                let published = Set(schedule.published.map(\.id))
                for key in stored.keys {
                    let state =
                        key.id == schedule.signing?.id
                        ? "signs"
                        : key.signsFrom > stored.now ? "next" : published.contains(key.id) ? "published" : "past"
                    let from = RFC3339.write(key.signsFrom.microseconds)
                    surroundings.console.say("\(key.id.text)  \(state)  from \(from)")
                }
                return .success
            }
        })
}
