import HTTPServer
import Testing

@testable import API

/// Every route against every action: what a token does not allow is refused, whatever else holds.
struct TokenRouteTests {
    /// What each route needs of a person's token and of a guardian's; written out once more, so that a route that is added without a
    /// decision here fails.
    private static let decisions: [String: (person: String?, guardian: String?)] = [
        "putApp": (nil, nil), "getApp": (nil, nil), "listApps": (nil, nil), "createKey": (nil, nil),
        "listKeys": (nil, nil), "revokeKey": (nil, nil), "createToken": (nil, nil),
        "createStreamTicket": ("events.read", "events.read"),
        "putPerson": (nil, nil),
        "getPerson": (nil, nil), "erasePerson": (nil, nil), "listPersonEvents": ("events.read", "events.read"),
        "exportPerson": (nil, nil), "getAccess": ("access.read", nil), "decideAccess": (nil, nil),
        "linkGuardian": (nil, nil), "unlinkGuardian": (nil, nil), "listGuardians": (nil, nil),
        "acknowledge": (nil, nil), "getAcknowledgment": (nil, nil), "listAcknowledgments": (nil, nil),
        "rescind": (nil, nil), "reinstate": (nil, nil), "registerAppTransaction": (nil, nil),
        "registerPlaySignals": (nil, nil), "listStoreAccounts": (nil, nil), "receivePlayRevocations": (nil, nil),
        "listStoreNotifications": (nil, nil), "getStoreNotification": (nil, nil), "attributeNotification": (nil, nil),
        "replayNotification": (nil, nil), "putChange": (nil, nil), "getChange": (nil, nil), "listChanges": (nil, nil),
        "withdrawChange": (nil, nil), "readProgress": (nil, nil), "previewChange": (nil, nil),
        "ask": ("question.create", nil), "askAll": ("question.create", nil),
        "listQuestions": ("question.read", "question.read"), "countQuestions": ("question.read", "question.read"),
        "getQuestion": ("question.read", "question.read"), "listQuestionEvents": ("events.read", "events.read"),
        "answer": (nil, "question.answer"), "listAnswers": ("question.read", "question.read"),
        "answerMany": (nil, "question.answer"), "cancel": ("question.cancel", nil), "observeAgeRating": (nil, nil),
        "listAgeRatings": (nil, nil), "listAgeRatingHistory": (nil, nil), "listEvents": ("events.read", "events.read"),
        "createWebhookEndpoint": (nil, nil), "listWebhookEndpoints": (nil, nil), "getWebhookEndpoint": (nil, nil),
        "putWebhookEndpoint": (nil, nil), "deleteWebhookEndpoint": (nil, nil), "rotateWebhookSecret": (nil, nil),
        "redeliverWebhooks": (nil, nil), "testWebhookEndpoint": (nil, nil), "listWebhookDeliveries": (nil, nil),
    ]

    @Test func everyRouteNeedsItsActionOrTakesNoToken() async throws {
        let app = try await TestService.get().newApp()
        _ = try await app.service.put("/v1/persons/p-1", "{}")
        _ = try await app.service.put("/v1/persons/p-1/guardians/g-1", "{}")
        var persons: [String: HTTPClient] = [:], guardians: [String: HTTPClient] = [:]
        for action in TestApp.personActions { persons[action] = try await app.token(person: "p-1", [action]) }
        for action in TestApp.guardianActions { guardians[action] = try await app.token(guardian: "g-1", [action]) }
        for route in Route.allCases {
            if case .open = route.access { continue }
            if route.access == .signed { continue }
            guard let decision = Self.decisions["\(route)"] else {
                Issue.record("nobody has decided what tokens may do with \(route)")
                continue
            }
            for (clients, needed) in [(persons, decision.person), (guardians, decision.guardian)] {
                for (action, client) in clients {
                    let reply = try await client.send(
                        route.location.method.text, path(route, app),
                        route.body == .none ? [] : [("Content-Type", "application/json")],
                        route.body == .none ? nil : "{}")
                    let isRefused = reply.status == 403 && reply.slug == "token-not-allowed"
                    #expect(isRefused == (action != needed) && reply.status != 401, "\(route) \(action) \(reply.text)")
                }
            }
        }
    }

    private func path(_ route: Route, _ app: TestApp) -> String {
        let id = "01930000-0000-7000-8000-000000000000"
        let values = [
            "person": "p-1", "guardian": "g-1", "question": id, "app": app.id, "change": "c", "key": id,
            "notification": id, "endpoint": id, "storefront": "USA", "environment": "production",
        ]
        return values.reduce(route.location.template) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
