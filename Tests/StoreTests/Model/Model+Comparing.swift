import Consent
import Store
import Testing
@testable import TestSupport

extension Model {
    /// Holds every row the store shows, and how many rows there are, against the model.
    ///
    /// - Parameter knowsReturns: whether the model knows of returns that no event tells of.
    func expectSame(as test: TestStore, knowsReturns: Bool = true) async throws {
        let store = test.store
        #expect(try await store.app(appID) == app)
        for (id, person) in persons {
            var shown = person
            shown.guardians = []
            var stored = try await store.person(appID, id)
            if !knowsReturns {
                shown.returnedAt = nil
                stored?.returnedAt = nil
            }
            #expect(stored == shown)
            #expect(try await store.rescissions(appID, person: id) == rescissions[id] ?? [])
            let links = (links[id] ?? [:]).map { GuardianLink(person: id, guardian: $0, createdAt: $1) }
            #expect(try await store.guardians(appID, person: id) == links.sorted { $0.guardian < $1.guardian })
            #expect(
                Set(try await store.acknowledgments(appID, person: id) ?? [])
                    == Set((acknowledgments[id] ?? [:]).values))
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
            // That a code was seen again is no event, so a model of a log does not know when it last was.
            var stored = try await store.ageRating(appID, scope)
            stored?.lastObservedAt = rating.lastObservedAt
            #expect(stored == rating)
            let steps = try await store.ageRatingSteps(appID, scope, after: 0, limit: 100)
            #expect(steps?.rows == ratingSteps.filter { $0.scope == scope })
        }
        #expect(
            Set(try await store.keys(appID).map(\.id)) == Set(keys.values.filter { $0.revokedAt == nil }.map(\.id)))
        try expectSameCounts(as: test)
        try test.expectRecounted()
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
