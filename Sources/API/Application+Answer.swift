import Consent
import HTTPServer
import Store

/// One request of a known caller about one app.
final class Call: Sendable {
    let request: Request
    let caller: Caller
    let app: AppID
    /// The path's ids, decoded, in order.
    let parameters: [String]

    init(request: Request, caller: Caller, app: AppID, parameters: [String]) {
        self.request = request
        self.caller = caller
        self.app = app
        self.parameters = parameters
    }

    /// A body that may be absent, as it is read then.
    var bodyOrEmptyObject: [UInt8] { request.body.isEmpty ? Array("{}".utf8) : request.body }

    /// The query, read strictly; `app` is taken by every route that is about one.
    func query(_ names: String...) throws(Problem) -> Parameters {
        try Parameters(request.query, allowing: names + ["app"])
    }

    /// A path that names the app takes no parameters.
    func refuseQuery() throws(Problem) {
        _ = try Parameters(request.query, allowing: [])
    }

    /// The path's parameter as an id of the caller's; a malformed one names nothing.
    func callerID(_ position: Int, _ missing: ProblemType) throws(Problem) -> CallerID {
        guard position < parameters.count, let id = CallerID(parameters[position]) else { throw Problem(missing) }
        return id
    }

    /// The path's parameter as an id of ours.
    func identifier(_ position: Int, _ missing: ProblemType) throws(Problem) -> Identifier {
        guard position < parameters.count, let id = Identifier(parameters[position]) else { throw Problem(missing) }
        return id
    }
}

extension Application {
    /// Answers one route; `audience` is set as soon as it is known, so that a thrown problem is shown to the same.
    func answer(
        _ route: Route, _ parameters: [String], _ request: Request, _ audience: inout Audience,
        _ standings: inout Standings
    ) async throws(Problem) -> Response {
        switch route.access {
        case .open(let page): return await answer(page, request)
        case .signed:
            try checkBody(of: route, request)
            return try await receiveNotification(parameters, request)
        case .admin, .appAdmin, .app, .appWriting: break
        }
        if route == .listEvents, request.query.contains(where: { $0.name.utf8.elementsEqual("ticket".utf8) }) {
            return try await openStream(request, &audience)
        }
        let caller = try await authenticator.caller(of: request.headers)
        audience = caller.app.map { .app($0) } ?? .nobody
        try limits.charge(caller, &standings)
        let rule = try caller.grant.map { grant throws(Problem) in try admit(grant, to: route) }
        let app = try await app(of: route, parameters, request, caller)
        try checkBody(of: route, request)
        guard let app else { return try await listApps(request) }
        audience = .app(app)
        let call = Call(request: request, caller: caller, app: app, parameters: parameters)
        guard let rule, let grant = caller.grant else { return try await answer(route, call) }
        return try await answer(rule, grant, call) { () async throws(Problem) in try await answer(route, call) }
    }

    private func answer(_ route: Route, _ call: Call) async throws(Problem) -> Response {
        switch route {
        case .getQuestion: try await getQuestion(call)
        case .ask: try await ask(call)
        case .askAll: try await askAll(call)
        case .answer: try await answerQuestion(call)
        case .listQuestions: try await listQuestions(call)
        case .countQuestions: try await countQuestions(call)
        case .listQuestionEvents: try await listQuestionEvents(call)
        case .listAnswers: try await listAnswers(call)
        case .answerMany: try await answerMany(call)
        case .cancel: try await cancel(call)
        case .putPerson: try await putPerson(call)
        case .getPerson: try await getPerson(call)
        case .erasePerson: try await erasePerson(call)
        case .exportPerson: try await exportPerson(call)
        case .listPersonEvents: try await listPersonEvents(call)
        case .getAccess: try await getAccess(call)
        case .decideAccess: try await decideAccess(call)
        case .linkGuardian: try await linkGuardian(call)
        case .unlinkGuardian: try await unlinkGuardian(call)
        case .listGuardians: try await listGuardians(call)
        case .acknowledge: try await acknowledge(call)
        case .getAcknowledgment: try await getAcknowledgment(call)
        case .listAcknowledgments: try await listAcknowledgments(call)
        case .rescind: try await rescind(call)
        case .reinstate: try await reinstate(call)
        case .registerAppTransaction: try await registerAppTransaction(call)
        case .registerPlaySignals: try await registerPlaySignals(call)
        case .listStoreAccounts: try await listStoreAccounts(call)
        case .receivePlayRevocations: try await receivePlayRevocations(call)
        case .listStoreNotifications: try await listStoreNotifications(call)
        case .getStoreNotification: try await getStoreNotification(call)
        case .attributeNotification: try await attributeNotification(call)
        case .replayNotification: try await replayNotification(call)
        case .putChange: try await putChange(call)
        case .getChange: try await getChange(call)
        case .readProgress: try await readProgress(call)
        case .previewChange: try await previewChange(call)
        case .withdrawChange: try await withdrawChange(call)
        case .listChanges: try await listChanges(call)
        case .observeAgeRating: try await observeAgeRating(call)
        case .listAgeRatings: try await listAgeRatings(call)
        case .listAgeRatingHistory: try await listAgeRatingHistory(call)
        case .listEvents: try await listEvents(call)
        case .createWebhookEndpoint: try await createWebhookEndpoint(call)
        case .listWebhookEndpoints: try await listWebhookEndpoints(call)
        case .getWebhookEndpoint: try await getWebhookEndpoint(call)
        case .putWebhookEndpoint: try await putWebhookEndpoint(call)
        case .deleteWebhookEndpoint: try await deleteWebhookEndpoint(call)
        case .rotateWebhookSecret: try await rotateWebhookSecret(call)
        case .redeliverWebhooks: try await redeliverWebhooks(call)
        case .testWebhookEndpoint: try await testWebhookEndpoint(call)
        case .listWebhookDeliveries: try await listWebhookDeliveries(call)
        case .createStreamTicket: try await createStreamTicket(call)
        case .putApp: try await putApp(call)
        case .getApp: try await getApp(call)
        case .createKey: try await createKey(call)
        case .createToken: try await createToken(call)
        case .listKeys: try await listKeys(call)
        case .revokeKey: try await revokeKey(call)
        case .listApps: try await listApps(call.request)
        // Answered before a key was asked for.
        case .receiveNotification, .health, .readiness, .metrics, .contract, .signingKeys: throw Problem(.notFound)
        }
    }

    /// The app a request is about, nil where it is about none; 403 where the key does not reach that far.
    private func app(
        of route: Route, _ parameters: [String], _ request: Request, _ caller: Caller
    ) async throws(Problem) -> AppID? {
        switch route.access {
        case .open, .signed: return nil
        case .admin:
            guard caller.role == .admin else { throw Problem(.forbidden, "Only an admin's key allows this.") }
            guard let text = parameters.first else { return nil }
            guard let app = AppID(text) else { throw Problem(.appNotFound) }
            return app
        case .app, .appWriting, .appAdmin:
            if route.access == .appAdmin, caller.role != .admin {
                throw Problem(.forbidden, "Only an admin's key allows this.")
            }
            if caller.role == .viewer, route.access == .appWriting {
                throw Problem(.forbidden, "A viewer's key only reads.")
            }
            let named = request.query.first { $0.name.utf8.elementsEqual("app".utf8) }?.value
            if let own = caller.app {
                if let named, !named.utf8.elementsEqual(own.text.utf8) {
                    throw Problem(.forbidden, "The key belongs to another app.")
                }
                return own
            }
            guard let named else { throw Problem(.appRequired, "Name it with ?app=.", parameter: "app") }
            guard let app = AppID(named) else { throw Problem(.appNotFound) }
            // A command finds out by itself whether there is such an app; a query would find nothing in it.
            if route.access != .appWriting,
                try await read({ () async throws(StoreFailure) in try await store.app(app) }) == nil
            {
                throw Problem(.appNotFound)
            }
            return app
        }
    }

    private func checkBody(of route: Route, _ request: Request) throws(Problem) {
        switch route.body {
        case .none: return
        case .optional where request.body.isEmpty: return
        case .required, .optional: try MediaType.require(.json, request.headers)
        case .table: try MediaType.require(.csv, request.headers)
        }
    }

    /// What the database says, or the problem it has.
    func read<Value>(_ query: () async throws(StoreFailure) -> Value) async throws(Problem) -> Value {
        do {
            return try await query()
        } catch {
            throw Problem(error)
        }
    }
}
