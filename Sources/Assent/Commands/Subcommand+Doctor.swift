extension Subcommand {
    static let doctor = Subcommand(
        "doctor", summary: "Look for what keeps the server from running well; exit 1 where something does.",
        details: """
            Reads the same settings as 'serve' and changes nothing. Each line is ok, odd (works, and may surprise somebody) or
            BAD (keeps the server from running, or from keeping its promises).
            """,
        settings: Setting.table,
        run: { invocation, surroundings in
            let reader = ConfigurationReader(settings: Setting.table, environment: surroundings.environment)
            let checkup = Checkup(
                reading: reader.read(flags: invocation.flags), strangers: reader.strangers())
            let findings = await checkup.findings()
            for finding in findings { surroundings.console.say(finding.line) }
            return findings.contains { $0.grade == .bad } ? .failure : .success
        })
}
