import Consent

extension Setting {
    /// Where webhooks may go, and how patiently.
    static let webhooksTable: [Setting] = [
        Setting(
            .webhooks, "webhook-allow", \.webhookAllow, .ranges,
            "addresses that webhooks may be sent to although they are not public, by plain http too; commas between"),
        Setting(
            .webhooks, "webhook-ca-file", \.webhookAuthorities, .optionalText("file"),
            "PEM certificates that webhook receivers are trusted by, instead of the system's"),
        Setting(
            .webhooks, "webhook-timeout", \.webhookTimeout, .duration(.seconds(1)...(.seconds(60))),
            "how long an attempt to deliver may take in all"),
        Setting(
            .webhooks, "webhook-concurrency", \.webhookConcurrency, .number(1...10_000),
            "attempts to deliver under way at once; at most half of them to receivers that are failing"),
    ]
}

extension SettingForm<[AddressRange]> {
    /// Ranges of addresses; none by default.
    static var ranges: Self {
        SettingForm(
            valueName: "ranges",
            expectation: "ranges of addresses such as 10.0.0.0/8,fd00::/8, with commas between them",
            parse: { text in
                let ranges = text.split(separator: ",", omittingEmptySubsequences: false).map {
                    AddressRange(String($0))
                }
                return ranges.contains(nil) ? nil : ranges.compactMap { $0 }
            },
            show: { $0.map(\.description).joined(separator: ",") })
    }
}
