import API
import AppStore
import Consent
import Store

extension Subcommand {
    static let appStoreImport = Subcommand(
        "app-store", "import", summary: "Take notifications from an export of the App Store's notification history.",
        details: """
            <file> holds responses of the store's Get Notification History as they came, or one signed payload a line. Each is
            verified and taken as if the store had sent it: what is known already changes nothing, and what is older than what is
            known wins over nothing. Exit 1 where one can never verify; the others are taken all the same.
            """,
        operands: ["file"],
        options: [Option("app", "id", required: true, "the app that the notifications are about")],
        settings: Setting.databaseTable + Setting.storesTable,
        run: { invocation, surroundings in
            guard let id = invocation.app?.id else { return invocation.complain(AppOption.form, surroundings) }
            return await StoreTask(invocation, surroundings).run { store, _ throws(StartFailure) in
                let history = try NotificationHistory.read(invocation.operands[0])
                let configuration = invocation.storesConfiguration(surroundings)
                guard let roots = try TrustedRoots.read(configuration.appStoreRoots) else {
                    throw .configuration("--app-store-root (ASSENT_APP_STORE_ROOTS) is needed to verify anything")
                }
                guard let app = try await store.look({ store throws(StoreFailure) in try await store.app(id) }) else {
                    throw .failed("there is no app '\(id.text)'")
                }
                let desk = AppStoreDesk(
                    AppStoreVerifier(roots: roots, dates: configuration.appStoreDates),
                    threads: configuration.appStoreThreads, queue: configuration.appStoreQueue)
                let result = await NotificationImport(
                    store: store, desk: desk, app: app, now: Instant(microseconds: WallClock.microseconds)
                ).run(history.signedPayloads)
                let fates = try NotificationImport.outcome(of: result)
                for line in NotificationImport.report(fates, isPartial: history.isPartial) {
                    surroundings.console.say(line)
                }
                return fates.contains { if case .refused = $0 { true } else { false } } ? .failure : .success
            }
        })
}

extension Invocation {
    /// What the settings say of the stores; faults were complained of before, or leave the default.
    func storesConfiguration(_ surroundings: Surroundings) -> Configuration {
        ConfigurationReader(settings: command.settings, environment: surroundings.environment).read(flags: flags)
            .configuration
    }
}

extension NotificationHistory {
    fileprivate static func read(_ path: String) throws(StartFailure) -> NotificationHistory {
        guard let bytes = Files.read(path) else { throw .failed("\(path) cannot be read, or is larger than 16 MiB") }
        do throws(Fault) {
            return try NotificationHistory(bytes)
        } catch {
            throw .failed("\(path)\(error.line.map { ", line \($0)" } ?? ""): \(error.detail)")
        }
    }
}

extension NotificationImport {
    fileprivate static func outcome(of result: Result<[Fate], Failure>) throws(StartFailure) -> [Fate] {
        switch result {
        case .success(let fates): return fates
        case .failure(.store(let failure)): throw .failed("\(failure.words); what was taken before stays")
        case .failure(.refused(let refusal)): throw .failed("refused: \(refusal.code); what was taken before stays")
        }
    }

    /// What to say at the end: what needs somebody's attention one by one, the rest in numbers.
    fileprivate static func report(_ fates: [Fate], isPartial: Bool) -> [String] {
        var lines: [String] = []
        var counts: [String: Int] = [:]
        for (place, fate) in fates.enumerated() {
            switch fate {
            case .kept(let status, let reason):
                counts[status.rawValue, default: 0] += 1
                if status == .quarantined { lines.append("\(place + 1): quarantined, \(reason ?? "")") }
            case .refused(let reason, let detail):
                counts["refused", default: 0] += 1
                lines.append("\(place + 1): refused, \(reason): \(detail)")
            }
        }
        let names = StoreNotification.Status.allCases.map(\.rawValue) + ["refused"]
        let summary = names.map { "\(counts[$0] ?? 0) \($0)" }.joined(separator: ", ")
        lines.append("Read \(fates.count) notifications: \(summary).")
        if isPartial { lines.append("By its own word the store has more than this export holds.") }
        return lines
    }
}
