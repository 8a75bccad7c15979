import AppStore
import AppStoreTestSupport
import Testing

/// Whom a genuine notification is about, and what is wrong when it is of no use here.
struct IdentityTests {
    private func inData(_ name: String, _ json: String?) -> (inout Bench) -> Void {
        { $0.payload["data"] = TestPayload.data.with(name, json).json }
    }

    @Test func otherBundle() throws {
        try Bench.expectObjection(
            .bundleMismatch, "/data/bundleId", expected: "com.example.reader", seen: "com.example.other",
            inData("bundleId", "\"com.example.other\""))
        // Equal to a person and to Swift's ==, and not the same bytes.
        try Bench.expectObjection(
            .bundleMismatch, "/data/bundleId", expected: "com.example.réader", seen: "com.example.re\u{301}ader",
            prepare: { bench in
                bench.registrations = [
                    AppStoreRegistration(
                        bundleID: "com.example.réader", appAppleID: "41234", environments: [.production])
                ]
                inData("bundleId", "\"com.example.réader\"")(&bench)
            }, inData("bundleId", "\"com.example.re\u{301}ader\""))
    }

    @Test func missingOrUnusableFields() throws {
        try Bench.expectObjection(.fieldMissing, "/data/bundleId", inData("bundleId", nil))
        try Bench.expectObjection(.fieldMissing, "/data/bundleId", inData("bundleId", "null"))
        try Bench.expectObjection(.fieldInvalid, "/data/bundleId", inData("bundleId", "7"))
        try Bench.expectObjection(.fieldInvalid, "/data/bundleId", inData("bundleId", "\"\""))
        try Bench.expectObjection(.fieldMissing, "/data/environment", inData("environment", nil))
        try Bench.expectObjection(.fieldInvalid, "/data/environment", inData("environment", "[\"Production\"]"))
        try Bench.expectObjection(.fieldMissing, "/data/appAppleId", expected: "41234", inData("appAppleId", nil))
        try Bench.expectObjection(.fieldInvalid, "/data/appAppleId", inData("appAppleId", "\"41234\""))
        try Bench.expectObjection(.fieldInvalid, "/data/appAppleId", inData("appAppleId", "41234.0"))
        try Bench.expectObjection(.fieldInvalid, "/data") { $0.payload["data"] = "[]" }
        try Bench.expectObjection(.fieldMissing, "/notificationType") { $0.payload["notificationType"] = nil }
        try Bench.expectObjection(.fieldInvalid, "/notificationType") { $0.payload["notificationType"] = "5" }
        try Bench.expectObjection(.fieldInvalid, "/notificationType") {
            $0.payload["notificationType"] = "\"" + String(repeating: "A", count: 256) + "\""
        }
        try Bench.expectObjection(.fieldInvalid, "/notificationUUID") { $0.payload["notificationUUID"] = "5" }
        try Bench.expectObjection(.fieldInvalid, "/notificationUUID") { $0.payload["notificationUUID"] = "\"a b\"" }
        try Bench.expectObjection(.fieldInvalid, "/subtype") { $0.payload["subtype"] = "{}" }
        try Bench.expectObjection(.fieldInvalid, "/version") { $0.payload["version"] = "2.0" }
    }

    @Test func otherAppStoreID() throws {
        try Bench.expectObjection(
            .appMismatch, "/data/appAppleId", expected: "41234", seen: "41235", inData("appAppleId", "41235"))
        // Past 2^53 a number of JavaScript's would be rounded to this one.
        try Bench.expectObjection(
            .appMismatch, "/data/appAppleId", expected: "9007199254740993", seen: "9007199254740992",
            prepare: { bench in
                bench.registrations = [
                    AppStoreRegistration(
                        bundleID: TestPayload.bundle, appAppleID: "9007199254740993", environments: [.production])
                ]
                inData("appAppleId", "9007199254740993")(&bench)
            }, inData("appAppleId", "9007199254740992"))
    }

    @Test func productionNeedsARegisteredAppStoreID() throws {
        try Bench.expectObjection(.appNotRegistered, "/data/appAppleId", seen: "41234") { bench in
            bench.registrations = [
                AppStoreRegistration(
                    bundleID: TestPayload.bundle, appAppleID: nil, environments: [.production, .sandbox])
            ]
        }
    }

    @Test func sandboxSendsNoAppStoreID() throws {
        var bench = try Bench()
        bench.payload["data"] =
            TestPayload.data.with("appAppleId", nil).with("environment", "\"Sandbox\"").json
        #expect(try bench.judge().accepted?.environment == .sandbox)
        bench.registrations = [
            AppStoreRegistration(bundleID: TestPayload.bundle, appAppleID: nil, environments: [.sandbox])
        ]
        #expect(try bench.judge().isAccepted)
        // What it sends all the same is no reason to refuse it.
        bench.payload["data"] = TestPayload.data.with("environment", "\"Sandbox\"").json
        #expect(try bench.judge().isAccepted)
    }

    @Test func environmentIsRegistered() throws {
        try Bench.expectObjection(
            .environmentMismatch, "/data/environment", expected: "Production", seen: "Sandbox",
            prepare: { bench in
                bench.registrations = [
                    AppStoreRegistration(
                        bundleID: TestPayload.bundle, appAppleID: TestPayload.appAppleID, environments: [.production])
                ]
            }, inData("environment", "\"Sandbox\""))
        try Bench.expectObjection(
            .environmentMismatch, "/data/environment", expected: "Production, Sandbox", seen: "Orbit",
            inData("environment", "\"Orbit\""))
    }

    @Test(arguments: ["Xcode", "LocalTesting"])
    func unsignedEnvironmentsAreRefused(_ name: String) throws {
        try Bench.expectRefusal(.environmentUnsigned, name, inData("environment", "\"\(name)\""))
    }

    @Test func oneEndpointServesSeveralRegistrations() throws {
        var bench = try Bench()
        bench.registrations = [
            AppStoreRegistration(bundleID: "com.example.other", appAppleID: "1", environments: [.production]),
            AppStoreRegistration(bundleID: TestPayload.bundle, appAppleID: nil, environments: [.sandbox]),
            TestPayload.registration,
        ]
        #expect(try bench.judge().isAccepted)
        bench.registrations = []
        #expect(try bench.judge().objection?.reason == .bundleMismatch)
    }

    @Test func exactlyOneSubject() throws {
        try Bench.expectObjection(.subjectMissing, nil) { $0.payload["data"] = nil }
        try Bench.expectObjection(.subjectMissing, nil) { $0.payload["data"] = "null" }
        try Bench.expectObjection(.subjectAmbiguous, nil, seen: "data, appData") {
            $0.payload["appData"] = TestPayload.data.with("bundleId", "\"com.example.other\"").json
        }
    }

    @Test func everySubjectHasAnIdentity() throws {
        let purchase = TestPayload([
            ("externalPurchaseId", "\"b2158121\""), ("tokenCreationDate", "1"), ("appAppleId", "41234"),
            ("bundleId", "\"com.example.reader\""),
        ])
        let subjects: [(NotificationRecord.Subject, TestPayload, AppStoreEnvironment)] = [
            (.data, TestPayload.data, .production), (.summary, TestPayload.data, .production),
            (.appData, TestPayload.data, .production), (.externalPurchaseToken, purchase, .production),
            (
                .externalPurchaseToken, purchase.with("externalPurchaseId", "\"SANDBOX_b2158121\""), .sandbox
            ),
        ]
        for (subject, object, environment) in subjects {
            var bench = try Bench()
            bench.payload = bench.payload.with("data", nil).with(subject.rawValue, object.json)
            let notification = try #require(try bench.judge().accepted)
            #expect(notification.environment == environment)
            #expect(notification.record.subject == subject)
            #expect(notification.record.appAppleID == "41234")
            bench.payload[subject.rawValue] = object.with("bundleId", "\"x\"").json
            #expect(try bench.judge().objection?.field == "/\(subject.rawValue)/bundleId")
        }
        var bench = try Bench()
        bench.payload = bench.payload.with("data", nil)
            .with("externalPurchaseToken", purchase.with("externalPurchaseId", nil).json)
        #expect(try bench.judge().objection?.field == "/externalPurchaseToken/externalPurchaseId")
    }
}
