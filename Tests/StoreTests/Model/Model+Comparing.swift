import Consent
import Store
import Testing
@testable import TestSupport

extension Model {
    /// Holds every row the store shows, and how many rows there are, against the model.
    ///
    /// - Parameter knowsAll: whether the model knows of what no event tells of: a return to those who were not away, and that
    ///   a rating was seen unchanged.
    func expectSame(as test: TestStore, knowsAll: Bool = true) async throws {
        let store = test.store
        #expect(try await store.app(appID) == app)
        for (id, person) in persons {
            var shown = person
            shown.guardians = []
            var stored = try await store.person(appID, id)
            if !knowsAll {
                shown.returnedAt = nil
                stored?.returnedAt = nil
            }
            #expect(stored == shown)
            #expect(try await store.rescissions(appID, person: id) == rescissions[person.ref] ?? [])
            let links = (links[id] ?? [:]).map { GuardianLink(person: id, guardian: $0, createdAt: $1) }
            #expect(try await store.guardians(appID, person: id) == links.sorted { $0.guardian < $1.guardian })
            #expect(
                Set(try await store.acknowledgments(appID, person: id) ?? [])
                    == Set((acknowledgments[person.ref] ?? [:]).values))
        }
        for (id, question) in questions {
            let record = try #require(try await store.question(appID, id))
            #expect(record.question == question.effective(at: record.readAt).bare)
            #expect(record.person == personID(question.personRef))
            #expect(try await store.answers(appID, question: id) == answers[id] ?? [])
        }
        for (id, notice) in notices {
            let record = try #require(try await store.storeNotification(appID, id))
            #expect(record.notification == notice && record.person == notice.personRef.flatMap(personID))
        }
        for (id, person) in persons {
            let own = accounts.values.filter { $0.personRef == person.ref }
            #expect(Set(try await store.storeAccounts(appID, person: id) ?? []) == Set(own))
        }
        for (id, change) in changes { #expect(try await store.change(appID, id) == change) }
        for (scope, rating) in ageRatings {
            var stored = try await store.ageRating(appID, scope)
            if !knowsAll { stored?.lastObservedAt = rating.lastObservedAt }
            #expect(stored == rating)
            let steps = try await store.ageRatingSteps(appID, scope, after: 0, limit: 100)
            #expect(steps?.rows == ratingSteps.filter { $0.scope == scope })
        }
        #expect(
            Set(try await store.keys(appID).map(\.id)) == Set(keys.values.filter { $0.revokedAt == nil }.map(\.id)))
        try expectSameCounts(as: test)
        try test.expectRecounted()
    }

    /// Holds what every person may do against the model. What expires meanwhile makes the decision be asked for again.
    func expectSameAccess(as test: TestStore) async throws {
        for id in persons.keys {
            while true {
                let before = access(id, at: try test.now())
                let shown = try await test.store.access(appID, persons: [id]).first ?? nil
                guard access(id, at: try test.now()) == before else { continue }
                #expect(shown == before, "\(id)")
                break
            }
        }
    }

    private func expectSameCounts(as test: TestStore) throws {
        let counts = [
            ("person", persons.count), ("guardian_link", links.values.reduce(0) { $0 + $1.count }),
            ("question", questions.count), ("answer", answers.values.reduce(0) { $0 + $1.count }),
            ("rescission", rescissions.values.reduce(0) { $0 + $1.count }),
            ("acknowledgment", acknowledgments.values.reduce(0) { $0 + $1.count }), ("change", changes.count),
            ("store_notification", notices.count),
            ("age_rating", ageRatings.count), ("age_rating_step", ratingSteps.count), ("api_key", keys.count),
        ]
        for (table, count) in counts {
            #expect(try test.count("select count(*) from \(table) where app_id = '\(appID.text)'") == count, "\(table)")
        }
    }
}
