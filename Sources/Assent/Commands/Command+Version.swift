extension Command {
    static let version = Command(
        "version", summary: "Print the version and exit.",
        run: { _, surroundings in
            surroundings.console.say("assent \(Build.version)")
            return .success
        })
}
