extension Subcommand {
    static let doctor = Subcommand(
        "doctor", summary: "Look for what keeps the server from running well; exit 1 when there is something.",
        settings: Setting.table,
        run: { invocation, surroundings in
            return .success
        })
}
