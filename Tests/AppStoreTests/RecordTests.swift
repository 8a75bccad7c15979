import AppStore
import AppStoreTestSupport
import Crypto
import Testing

/// What is kept of a notification.
struct RecordTests {
    static let types = [
        "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "DID_RENEW",
        "EXPIRED", "EXTERNAL_PURCHASE_TOKEN", "GRACE_PERIOD_EXPIRED", "METADATA_UPDATE", "MIGRATION", "OFFER_REDEEMED",
        "ONE_TIME_CHARGE", "PRICE_CHANGE", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED",
        "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "REVOKE", "SUBSCRIBED", "TEST", "ANNOUNCED_IN_2030",
    ]

    @Test(arguments: types)
    func everyTypeIsAcceptedRaw(_ type: String) throws {
        var bench = try Bench()
        bench.payload = .notification(type)
        bench.payload["subtype"] = "\"SOMETHING_NEW\""
        let notification = try #require(try bench.judge().accepted)
        #expect(notification.type == type)
        #expect(notification.rescinded == nil)
        #expect(notification.record.type == type)
        #expect(notification.record.subtype == "SOMETHING_NEW")
    }

    @Test func everythingIsKept() throws {
        var bench = try Bench()
        bench.payload["subtype"] = "\"VOLUNTARY\""
        let record = try #require(try bench.judge().record)
        let payload = Array(bench.payload.json.utf8)
        #expect(
            record
                == NotificationRecord(
                    identity: TestPayload.uuid, notificationUUID: TestPayload.uuid, type: "DID_RENEW",
                    subtype: "VOLUNTARY", version: "2.0", signedDate: TestChain.moment, subject: .data,
                    environment: "Production", bundleID: TestPayload.bundle, appAppleID: "41234", payload: payload,
                    payloadHash: try SHA256.hash(payload).bytes))
    }

    @Test func hashServesWithoutUUID() throws {
        for uuid in [String?.none, "null"] {
            var bench = try Bench()
            bench.payload["notificationUUID"] = uuid
            let notification = try #require(try bench.judge().accepted)
            let hash = Hexadecimal.encode(try SHA256.hash(Array(bench.payload.json.utf8)).bytes)
            #expect(notification.record.identity == "sha256-" + hash)
            #expect(notification.record.notificationUUID == nil)
        }
    }

    @Test func quarantinedOnesKeepWhatCanBeRead() throws {
        var bench = try Bench()
        bench.payload["notificationUUID"] = "17"
        bench.payload["notificationType"] = nil
        let record = try #require(try bench.judge().record)
        #expect(record.identity.hasPrefix("sha256-") && record.type == nil && record.bundleID == TestPayload.bundle)
    }
}
