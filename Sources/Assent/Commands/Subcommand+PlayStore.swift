import API
import Consent
import PlayStore
import Store

extension Subcommand {
    static let playStoreImport = Subcommand(
        "play-store", "import", summary: "Take the list of revoked app approvals from Google Play's console.",
        details: """
            <file> is the CSV that the console gives for download: a header row with a column "Install ID" and perhaps a date, then
            a row for each revocation. The same file again changes nothing. A file with a row that cannot be read is refused as a
            whole, with every such row named.
            """,
        operands: ["file"],
        options: [Option("app", "id", required: true, "the app that the approvals were for")],
        settings: Setting.databaseTable,
        run: { invocation, surroundings in
            guard let app = invocation.app?.id else { return invocation.complain(AppOption.form, surroundings) }
            return await StoreTask(invocation, surroundings).run { store, _ throws(StartFailure) in
                let file = try RevocationFile.read(invocation.operands[0])
                try await store.require(app)
                switch await RevocationImport(store: store, app: app).run(file) {
                case .failure(.store(let failure)):
                    throw .failed("\(failure.words); what was taken before stays")
                case .failure(.refused(let refusal, _, _)):
                    throw .failed("refused: \(refusal.code); what was taken before stays")
                case .success(let statuses):
                    let names: [StoreNotification.Status] = [.applied, .outdated, .unattributed]
                    let summary = names.map { "\(statuses[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
                    surroundings.console.say("Read \(file.rows.count) revocations: \(summary).")
                    return .success
                }
            }
        })
}

extension RevocationFile {
    fileprivate static func read(_ path: String) throws(StartFailure) -> RevocationFile {
        guard let bytes = Files.read(path) else { throw .failed("\(path) cannot be read, or is larger than 16 MiB") }
        do throws(RevocationFileFault) {
            return try RevocationFile(bytes)
        } catch {
            let lines = error.places.map { place in
                "line \(place.line): \(place.column.map { "\($0.rawValue) " } ?? "")\(place.detail)"
            }
            throw .failed("\(path) was not taken:\n" + lines.joined(separator: "\n"))
        }
    }
}
