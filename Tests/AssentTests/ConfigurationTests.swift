import API
import Consent
import Testing

@testable import Assent

/// Settings: flag before environment before default, every fault at once, no secret shown.
struct ConfigurationTests {
    private func read(
        _ flags: [String: String] = [:], _ environment: [String: String] = [:]
    ) -> ConfigurationReader.Reading {
        ConfigurationReader(settings: Setting.table, environment: environment).read(flags: flags)
    }

    @Test func flagWinsOverEnvironmentOverDefault() {
        #expect(read().configuration.port == 8080)
        #expect(read([:], ["ASSENT_PORT": "81"]).configuration.port == 81)
        let both = read(["port": "82"], ["ASSENT_PORT": "81"])
        #expect(both.configuration.port == 82)
        #expect(both.sources["port"] == .flag)
        #expect(both.sources["host"] == .standard)
    }

    @Test func namesEveryFaultAtOnce() {
        let reading = read(
            ["port": "65536", "body-limit": "1"], ["ASSENT_EMBEDDED": "yes", "ASSENT_HEAD_TIMEOUT": "10"])
        let sentences = reading.faults.map(\.sentence)
        #expect(sentences.count == 4)
        for name in ["--port", "--body-limit", "ASSENT_EMBEDDED", "ASSENT_HEAD_TIMEOUT"] {
            #expect(sentences.contains { $0.hasPrefix("\(name) must be ") }, "no fault names \(name)")
        }
    }

    @Test func anEmptyVariableIsAFaultNotADefault() {
        #expect(
            read([:], ["DATABASE_URL": ""]).faults.map(\.sentence) == ["DATABASE_URL must be a text that is not empty"])
    }

    @Test func everyDefaultReadsBackAsItself() {
        for setting in Setting.table where !setting.defaultText.isEmpty {
            var configuration = Configuration()
            #expect(setting.apply(setting.defaultText, &configuration), "\(setting.name)")
            #expect(setting.show(configuration) == setting.defaultText)
        }
    }

    @Test func rootsMayBeSeveral() throws {
        let table = CommandLineParser(commands: Program.commands)
        let words = ["serve", "--app-store-root", "a.pem", "--app-store-root=b.der"]
        guard case .run(let invocation) = table.parse(words) else {
            Issue.record("the flag repeats")
            return
        }
        #expect(read(invocation.flags).configuration.appStoreRoots == ["a.pem", "b.der"])
        #expect(read([:], ["ASSENT_APP_STORE_ROOTS": "a:b"]).configuration.appStoreRoots == ["a", "b"])
        #expect(read().configuration.appStoreRoots.isEmpty)
        for text in ["", ":", "a::b", "a:"] {
            #expect(
                read([:], ["ASSENT_APP_STORE_ROOTS": text]).faults.map(\.sentence) == [
                    "ASSENT_APP_STORE_ROOTS must be paths with colons between them, none of them empty"
                ])
        }
        guard case .fault = table.parse(["serve", "--port", "1", "--port", "2"]) else {
            Issue.record("other flags do not repeat")
            return
        }
    }

    @Test func namesAreUnique() {
        #expect(Set(Setting.table.map(\.name)).count == Setting.table.count)
        #expect(Set(Setting.table.map(\.environment)).count == Setting.table.count)
        #expect(Setting.table.first { $0.name == "tls-cert" }?.environment == "ASSENT_TLS_CERT")
    }

    @Test func contradictionsAreFaults() {
        #expect(read(["embedded": "true"], ["DATABASE_URL": "postgresql:///x"]).faults.count == 1)
        #expect(read(["tls-cert": "a"]).faults.map(\.sentence).first?.contains("--tls-key") == true)
        #expect(read(["head-timeout": "61s"]).faults.count == 1)
        #expect(read(["embedded": "true"]).faults.isEmpty)
    }

    @Test func nothingIsPrunedUnlessAskedFor() {
        let standard = read().configuration.kept
        #expect(standard.events == nil && standard.questions == nil && standard.replies == 72 * 3_600)
        let kept = read(["keep-events-days": "30"], ["ASSENT_KEEP_QUESTIONS_DAYS": "31"]).configuration.kept
        #expect(kept.events == 30 * 86_400 && kept.questions == 31 * 86_400)
        #expect(read(["keep-events-days": "30", "keep-questions-days": "30"]).faults.isEmpty)
        // Events show their questions, so these would not go.
        for flags in [["keep-questions-days": "30"], ["keep-questions-days": "30", "keep-events-days": "31"]] {
            #expect(read(flags).faults.map(\.sentence).first?.contains("--keep-events-days") == true)
        }
        #expect(read(["keep-events-days": "-1"]).faults.count == 1)
    }

    @Test func aLostVariableIsNamed() {
        #expect(Configuration().missingDatabase?.sentence.contains("DATABASE_URL") == true)
        #expect(read(["embedded": "true"]).configuration.missingDatabase == nil)
    }

    @Test func secretKeysComeByVariableAloneAndAreNotShown() throws {
        let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let reading = read([:], ["ASSENT_SECRET_KEY": "\(key),\(key)"])
        #expect(reading.faults.isEmpty && reading.configuration.secretKeys.count == 2)
        for setting in Setting.table {
            #expect(!setting.show(reading.configuration).contains(key))
            #expect(!setting.masked(reading.configuration).contains(key))
        }
        let faults = read([:], ["ASSENT_SECRET_KEY": "\(key),x"]).faults.map(\.sentence)
        #expect(faults.count == 1 && faults[0].hasPrefix("ASSENT_SECRET_KEY must be 32 bytes in base64"))
        #expect(!faults[0].contains(key))
        #expect(read(["secret-key-file": "f"], ["ASSENT_SECRET_KEY": key]).faults.count == 1)
        // Everybody on the machine sees a command line.
        guard
            case .fault(.unknownFlag, _) = CommandLineParser(commands: Program.commands).parse([
                "serve", "--secret-key", key,
            ])
        else {
            Issue.record("a key was taken from the command line")
            return
        }
    }

    @Test func misspelledVariablesAreFound() {
        let reader = ConfigurationReader(
            settings: Setting.table, environment: ["ASSENT_PROT": "1", "ASSENT_PORT": "1", "HOME": "x"])
        #expect(reader.strangers().map(\.name) == ["ASSENT_PROT"])
        #expect(reader.strangers().first?.near == ["ASSENT_PORT"])
    }

    @Test(
        arguments: [
            ("0", nil), ("", nil), ("+5s", nil), ("5", nil), ("5 s", nil), ("٣s", nil), ("99999999999999999999s", nil),
            ("500ms", .milliseconds(500)), ("10s", .seconds(10)), ("2m", .seconds(120)), ("1h", .seconds(3600)),
        ] as [(String, Duration?)])
    func durations(text: String, expected: Duration?) {
        #expect(DurationText.parse(text) == expected)
    }

    @Test func rateLimits() {
        for text in [
            "", "0", "100", "/1s", "100/", "100/1", "100/0s", "100/500ms", "100/1s/1s", "-1/1s", "1000001/1s", "1/61m",
            "1/2h", "١/1s", "100 /1s",
        ] {
            #expect(RateLimitText.parse(text) == nil, "\(text)")
            #expect(
                read(["rate-limit-key": text]).faults.map(\.sentence) == [
                    "--rate-limit-key must be a number of requests from 1 to 1000000 in a time from 1s to 1h, such as "
                        + "100/1s, or off"
                ])
        }
        for text in ["100/1s", "1/1h", "1000000/59m", "5000/60s"] {
            #expect(RateLimitText.parse(text).map(RateLimitText.show) == text)
        }
        let standard = read().configuration.rateLimits
        #expect(standard.key == nil && standard.source == nil && standard.proxies == .none)
        let set = read(
            ["rate-limit-key": "off", "rate-limit-source": "50/1m", "trusted-proxies": "2"],
            ["ASSENT_PROXY_HEADER": "forwarded", "ASSENT_RATE_LIMIT_KEY": "1/1s"]
        ).configuration.rateLimits
        #expect(set.key == nil && set.source == RateLimit(requests: 50, seconds: 60))
        #expect(set.proxies == Proxies(count: 2, header: .forwarded))
        #expect(read(["trusted-proxies": "17", "proxy-header": "via"]).faults.count == 2)
    }

    @Test(
        arguments: [
            ("", nil), ("-1", nil), ("1KB", nil), ("64kib", nil), ("9999999999999999999", nil), ("65536", 65536),
            ("64KiB", 65536), ("1MiB", 1_048_576),
        ] as [(String, Int?)])
    func sizes(text: String, expected: Int?) {
        #expect(ByteSizeText.parse(text) == expected)
    }

    @Test(arguments: [
        ("postgresql://localhost/x", "postgresql://localhost/x"),
        ("postgres://u@h:1,h2:2/x", "postgres://u@h:1,h2:2/x"),
        ("postgresql://u:secret@h/x", "postgresql://u:***@h/x"),
        ("postgresql://u:se@cret@h/x", "postgresql://u:***@h/x"),
        ("postgresql://u:se/cr?et@h/x", "postgresql://u:***@***"),
        ("postgresql://h:1/x?password=a@secret", "postgresql://h:***@***"),
        ("postgresql://h/x?password=a@secret", "postgresql://***@***"),
        (
            "postgresql://h/x?password=secret&sslmode=require&sslpassword=secret&%70assword=secret&secret",
            "postgresql://h/x?password=***&sslmode=require&sslpassword=***&%70assword=***&***"
        ),
        (
            "postgresql://u:secret@h/x?target_session_attrs=read-write",
            "postgresql://u:***@h/x?target_session_attrs=read-write"
        ),
        ("host=h password=secret dbname=x", "host=h password=*** dbname=x"),
        ("host=h password='se cret' dbname=x", "host=h password=*** *** ***"),
        (#"password='a\'b host=secret' dbname=x"#, "password=*** *** ***"),
        (#"password=a\ host=secret dbname=x"#, "password=*** *** ***"),
        ("host=h\npassword=secret\r\n\tdbname=x", "host=h password=*** dbname=x"),
        ("host=h\u{b}password=secret\u{c}dbname=x", "host=h password=*** dbname=x"),
        ("password=a\u{a0}host=secret", "password=***"),
        ("password = secret", "*** =*** ***"),
        ("secret", "***"),
        ("", ""),
    ])
    func masksWhateverMayBeSecret(text: String, shown: String) {
        let masked = DatabaseURLMask.mask(text)
        #expect(masked == shown)
        #expect(!masked.contains("secret"))
    }
}
