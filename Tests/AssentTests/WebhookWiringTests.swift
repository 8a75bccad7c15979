import Consent
import Testing
import Workers

@testable import Assent

struct WebhookWiringTests {
    private func read(_ text: String) -> ConfigurationReader.Reading {
        ConfigurationReader(settings: Setting.table, environment: ["ASSENT_WEBHOOK_ALLOW": text]).read(flags: [:])
    }

    @Test func rangesAreReadWithCommasBetween() {
        let reading = read("10.0.0.0/8,fd00::/8,127.0.0.1")
        #expect(reading.faults.isEmpty)
        #expect(reading.configuration.webhookAllow.map(\.description) == ["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"])
    }

    /// A range that was meant otherwise than it is read would open what nobody wanted open.
    @Test(arguments: [
        "", ",", "10.0.0.0/8,", "10.0.0.1/8", "10/8", "localhost", "0x0a000000/8", "10.0.0.0/8 ,::1", "::/0;0.0.0.0/0",
    ])
    func whatIsNoRangeIsRefused(text: String) {
        #expect(
            read(text).faults.map(\.sentence) == [
                "ASSENT_WEBHOOK_ALLOW must be ranges of addresses such as 10.0.0.0/8,fd00::/8, with commas between them"
            ])
    }

    private func attempted(_ result: AttemptResult) throws -> DeliveryNews {
        .attempted(
            DeliveryAttempted(
                app: try #require(AppID("reader")), endpoint: Identifier(high: 1, low: 2),
                delivery: Identifier(high: 3, low: 4), number: 2, result: result, milliseconds: 12))
    }

    @Test func attemptsAreCountedByWhatCameOfThem() throws {
        let metrics = WebhookMetrics()
        for result in [
            AttemptResult.answered(status: 204, retryAfterSeconds: nil), .answered(status: 200, retryAfterSeconds: nil),
            .answered(status: 301, retryAfterSeconds: nil), .answered(status: 599, retryAfterSeconds: 1),
            .answered(status: 999, retryAfterSeconds: nil), .failed(.timeout),
        ] { metrics.record(try attempted(result)) }
        for failure in AttemptFailure.allCases { metrics.record(try attempted(.failed(failure))) }
        metrics.record(.looked(lag: 1_500_000))
        metrics.record(.gaveUp)
        var text = Exposition()
        metrics.write(to: &text)
        let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n")
        for line in [
            #"assent_webhook_attempts_total{outcome="2xx"} 2"#, #"assent_webhook_attempts_total{outcome="3xx"} 1"#,
            #"assent_webhook_attempts_total{outcome="4xx"} 0"#, #"assent_webhook_attempts_total{outcome="5xx"} 2"#,
            #"assent_webhook_attempts_total{outcome="timeout"} 2"#,
            #"assent_webhook_attempts_total{outcome="blocked"} 1"#,
            "assent_webhook_lag_seconds 1.5", "assent_webhook_given_up_total 1",
        ] { #expect(lines.contains(Substring(line)), "\(line)") }
    }

    @Test func aRefusedAddressNamesTheSettingInTheLog() throws {
        let news = try attempted(.failed(.blocked))
        #expect(news.level == .warning)
        let line = String(decoding: news.line(.warning), as: UTF8.self)
        #expect(line.contains(#""failure":"blocked","setting":"webhook-allow""#))
        #expect(try attempted(.answered(status: 200, retryAfterSeconds: nil)).level == .debug)
        #expect(DeliveryNews.looked(lag: 0).level == nil)
    }

    @Test func aNameIsLookedUpInTime() async {
        let found = await HostLookup.addresses(of: "localhost")
        #expect(!found.isEmpty && found.allSatisfy { AddressPolicy().refusal(of: $0, isPlain: false) != nil })
        #expect(await HostLookup.addresses(of: "nowhere.invalid").isEmpty)
        #expect(await HostLookup.addresses(of: "localhost", within: .zero).count <= found.count)
    }
}
