import Consent
import Store
import TestSupport
import Testing

/// What admins see of what stores sent, and what retention takes away of it.
@Suite(.timeLimit(.minutes(5))) struct NotificationListTests {
    @Test func aListTakesWhatFitsEveryFilterInTheOrderItCame() async throws {
        try await TestStore.with("notice_list") { test in
            _ = try await test.run(Notices.register("p", "a-0"))
            var kept: [StoreNotification] = []
            for number in 0..<12 {
                let uuid = "u-\(number)"
                let environment: OriginalVersion.Environment = number % 4 == 3 ? .sandbox : .production
                let account = CallerID(trusted: "a-\(number % 2)")
                let notice =
                    switch number % 3 {
                    case 0: Notices.rescission(account, uuid: uuid, environment: environment)
                    case 1: Notices.information("DID_RENEW", uuid: uuid, about: account, environment: environment)
                    default:
                        Notices.quarantined(
                            Notices.information("TEST", uuid: uuid, environment: environment), .init(reason: "x"))
                    }
                kept.append(try #require(try await test.run(.receive(notice)).notification))
            }
            let types: [String?] = [nil, "RESCIND_CONSENT", "DID_RENEW", "TEST", "NONE"]
            let statuses: [StoreNotification.Status?] = [nil] + StoreNotification.Status.allCases.map { $0 }
            let environments: [OriginalVersion.Environment?] = [nil, .production, .sandbox]
            for type in types {
                for status in statuses {
                    for environment in environments {
                        for person: CallerID? in [nil, "p", "nobody"] {
                            let filter = StoreNotificationFilter(
                                type: type, status: status, person: person, environment: environment)
                            let expected = kept.filter { notice in
                                type ?? notice.type == notice.type && status ?? notice.status == notice.status
                                    && environment ?? notice.environment == notice.environment
                                    && (person == nil || (person == "p" && notice.personRef != nil))
                            }
                            var found: [StoreNotification] = []
                            var more = true
                            while more {
                                let page = try await test.store.storeNotifications(
                                    test.app, filter, after: found.last?.id, limit: 2)
                                found += page.rows.map(\.notification)
                                #expect(page.rows.allSatisfy { $0.payload == nil })
                                more = page.more
                            }
                            #expect(found == expected, "\(filter)")
                        }
                    }
                }
            }
        }
    }

    @Test func retentionTakesAwayWhatNobodyCameFor() async throws {
        try await TestStore.with("notice_retention") { test in
            for number in 0..<5 {
                let account = CallerID(trusted: "a-\(number)")
                _ = try await test.run(.receive(Notices.rescission(account, uuid: "u-\(number)")))
            }
            _ = try await test.run(Notices.register("p", "a-4"))
            _ = try await test.run(.receive(Notices.information("TEST", uuid: "t")))
            func forget(_ seconds: Int, _ limit: Int) async throws -> Int {
                let command = Command.prune(.notifications(.unattributed, olderThanSeconds: seconds, limit: limit))
                guard case .done(.pruned(let count)) = try await test.run(command) else { return -1 }
                return count
            }
            #expect(try await forget(3_600, 100) == 0)
            #expect(try test.count("select count(*) from store_notification") == 6)
            try await test.pass(.present)
            #expect(try await forget(0, 3) == 3)
            #expect(try test.texts("select uuid from store_notification order by id") == ["u-3", "u-4", "t"])
            #expect(try await forget(0, 100) == 1)
            #expect(try test.texts("select uuid from store_notification order by id") == ["u-4", "t"])
            #expect(try test.texts("select id from store_account") == ["a-4"])
        }
    }
}
