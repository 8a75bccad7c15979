import Consent
import Store
import Testing
@testable import TestSupport

/// Everything at once, from two servers, with persons who are erased meanwhile.
@Suite(.timeLimit(.minutes(5))) struct NotificationRaceTests {
    @Test func aNoticeAndTheRegistrationItWaitsForNeverMissEachOther() async throws {
        try await TestStore.with("notice_race") { test in
            let other = TestStore(test.settings)
            for round in 0..<40 {
                let (person, account) = (CallerID(trusted: "p-\(round)"), CallerID(trusted: "a-\(round)"))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        _ = try await test.run(.receive(Notices.rescission(account, uuid: "u-\(round)")))
                    }
                    group.addTask { _ = try await other.run(Notices.register(person, account)) }
                    if round % 3 == 0 {
                        group.addTask { _ = try await other.run(Samples.ask(person)) }
                        group.addTask {
                            _ = try await test.run(.receive(Notices.rescission(account, uuid: "again-\(round)")))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await test.store.person(test.app, person)?.isRescinded == true, "\(round)")
            }
            let left = try await test.store.storeNotifications(
                test.app, StoreNotificationFilter(status: .unattributed), after: nil, limit: 10)
            #expect(left.rows.isEmpty)
            #expect(
                try test.count("select count(*) from question where state = 'pending'") == 0)
            await other.store.stop(within: .seconds(5))
        }
    }

    @Test(arguments: [UInt64(1), 2]) func nothingIsLostAndNobodyWaitsInACircle(seed: UInt64) async throws {
        try await TestStore.with("notice_storm_\(seed)", policy: Policy(rescissionMarginSeconds: 1)) { test in
            let other = TestStore(test.settings)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<10 {
                    let store = worker % 2 == 0 ? test : other
                    group.addTask {
                        var source = StoreCommandSource(seed: seed * 100 + UInt64(worker), prefix: "w\(worker)-")
                        for _ in 0..<150 {
                            let command: Command =
                                source.random.once(in: 12)
                                ? .erase(person: source.random.pick(StoreCommandSource.persons), by: .child)
                                : source.next(now: .present)
                            let reply = try await store.run(command)
                            if let question = reply.question { source.questions.append(question.id) }
                            if let notice = reply.notification { source.notices.append(notice.id) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            await other.store.stop(within: .seconds(5))
            // What waits is nobody's, and what is somebody's is a person's who is there.
            #expect(
                try test.count(
                    """
                    select count(*) from store_notification s join store_account a on a.digest = s.account
                    where s.status = 'unattributed' and a.person_ref is not null
                    """) == 0)
            #expect(
                try test.count(
                    """
                    select count(*) from store_account a where a.person_ref is not null
                        and not exists (select 1 from person p where p.ref = a.person_ref)
                    """) == 0)
            // Whoever is frozen is so by the last rescission that holds.
            #expect(
                try test.count(
                    """
                    select count(*) from person p where p.rescinded_at is distinct from (
                        select max(r.effective_at) from rescission r
                        where r.person_ref = p.ref and r.freezes and r.ended_at is null)
                    """) == 0)
            // What is nobody's is held only for the sake of a rescission that may still come to somebody.
            #expect(
                try test.count(
                    """
                    select count(*) from store_account a where a.person_ref is null
                        and not exists (select 1 from store_notification s where s.account = a.digest and s.rescinds)
                    """) == 0)
            // Of the erased nothing is left.
            #expect(
                try test.count(
                    """
                    select count(*) from store_notification s where s.person_ref is not null and s.payload is not null
                        and not exists (select 1 from person p where p.ref = s.person_ref)
                    """) == 0)
            let log = try await test.log()
            #expect(log.map(\.seq) == (1...Int64(log.count)).map { $0 })
            #expect(log.contains { $0.type == .personErased } && log.contains { $0.type == .personRescinded })
            try test.expectRecounted()
        }
    }
}
