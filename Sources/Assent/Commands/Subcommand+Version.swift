extension Subcommand {
    static let version = Subcommand(
        "version", summary: "Print the version and exit.",
        run: { _, surroundings in
            surroundings.console.say("assent \(Build.version)")
            return .success
        })
}
