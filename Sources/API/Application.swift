import Consent
package import Crypto
package import HTTPServer
package import Store

/// The service's HTTP face: turns requests into commands and queries, and what comes of them into answers.
///
/// Immutable; what it remembers lives in the authenticator and the origin book, each behind a lock of its own.
package final class Application: Responder {
    let store: any StoreReading & StoreWriting
    let clock: Clocks
    let pages: OperationalPages
    let authenticator: Authenticator
    let origins: OriginBook
    let signingKeys: SigningKeys
    let randomness = RandomSource()
    /// Nil where the operator named no root: then nothing of the App Store's is taken.
    let appStore: AppStoreDesk?
    package let limits: RateLimits
    let webhooks: WebhookDesk
    /// Where stored secrets are sealed and opened; nil where the operator configured no key.
    let secrets: SecretBox?
    /// Tokens under way from sources whose tokens did not verify.
    let suspects = Bound(8)
    /// Who follows the logs in this process; the wiring tells it when they grow and runs it.
    package let feed: EventFeed
    private let largestBody: Int
    let observe: @Sendable (Observation) -> Void

    /// - Parameters:
    ///   - appStore: where what the App Store signed is judged.
    ///   - limits: how many requests are taken from whom.
    ///   - webhooks: where messages may be sent, and how their secrets are kept.
    ///   - secrets: under which keys secrets are stored; nil: what needs one is answered 503.
    ///   - signingKeyDays: after how many days another key signs browsers' tokens; 0: never.
    ///   - largestBody: how many bytes of body a request may have, where its route takes no more than others.
    ///   - observe: told what happened; called on whichever thread it happened, must not block.
    package init(
        store: any StoreReading & StoreWriting, pages: OperationalPages, clock: Clocks,
        appStore: AppStoreDesk? = nil, webhooks: WebhookDesk = WebhookDesk(), secrets: SecretBox? = nil,
        signingKeyDays: Int = 90, limits: RateLimits.Settings = RateLimits.Settings(), largestBody: Int = 65_536,
        feed settings: EventFeed.Settings = EventFeed.Settings(),
        observe: @escaping @Sendable (Observation) -> Void = { _ in }
    ) {
        self.store = store
        self.pages = pages
        self.clock = clock
        self.appStore = appStore
        self.limits = RateLimits(limits, now: clock.monotonic)
        self.webhooks = webhooks
        self.secrets = secrets
        self.largestBody = largestBody
        self.observe = observe
        signingKeys = SigningKeys(store: store, secrets: secrets, days: signingKeyDays, now: clock.monotonic)
        authenticator = Authenticator(store: store, signingKeys: signingKeys, now: clock.monotonic)
        origins = OriginBook(store: store, now: clock.monotonic)
        feed = EventFeed(settings, store: store, authenticator: authenticator)
    }

    package func bodyLimit(of head: RequestHead) -> Int {
        for (path, limit) in Route.withLargeBodies
        where path.count == head.path.count && zip(path, head.path).allSatisfy({ $0 == nil || $0 == $1 }) {
            return max(largestBody, limit)
        }
        return largestBody
    }

    package func extraTime(of head: RequestHead) -> Duration {
        head.method == .get || head.method == .head ? .seconds(Preference.wait(head.headers) ?? 0) : .zero
    }

    package func respond(to request: Request) async -> Response {
        let match = Route.router.match(request.method, request.path)
        var standings = Standings()
        var audience = Audience.anyApp
        var template: String?
        var response: Response
        do throws(Problem) {
            switch match {
            case .found(let route, let found, let parameters):
                template = found
                if route.isCounted { try limits.charge(sourceOf: request.head, &standings) }
                response = try await answer(route, parameters, request, &audience, &standings)
            case .methodNotAllowed(let allow):
                // A preflight is the browser's doing, not the page's.
                if request.method == .options { return await answerOptions(request, allow) }
                try limits.charge(sourceOf: request.head, &standings)
                var problem = Problem(.methodNotAllowed)
                problem.extraHeaders = [HeaderField("Allow", Self.list(allow))]
                throw problem
            case .notFound:
                if request.method == .options, request.target == "*" { return await answerOptions(request, []) }
                try limits.charge(sourceOf: request.head, &standings)
                throw Problem(.notFound)
            }
        } catch {
            report(error, request, template)
            response = error.response(requestID: request.id)
        }
        response.headers += standings.headers
        await allowOrigin(in: &response, request.head, audience)
        response.route = template
        return response
    }

    package func refuse(_ fault: Fault, head: RequestHead?) -> Response {
        var response = Problem(fault).response(requestID: head?.id)
        let origin = head?.headers.bytes(of: "Origin")
        CrossOrigin.allow(origin, in: &response, when: origin.map { origins.held?.contains($0) ?? false } ?? false)
        return response
    }

    package func finished(_ record: ExchangeRecord) {
        observe(.exchange(record))
    }

    private static func list(_ methods: [Method]) -> String {
        methods.map(\.text).joined(separator: ", ")
    }

    private func answerOptions(_ request: Request, _ allow: [Method]) async -> Response {
        let methods = Self.list(allow)
        var response = Response(status: 204, headers: [HeaderField("Allow", methods)])
        await allowOrigin(in: &response, request.head, .anyApp)
        CrossOrigin.answerPreflight(request.headers, methods: methods, in: &response)
        return response
    }

    private func allowOrigin(in response: inout Response, _ head: RequestHead, _ audience: Audience) async {
        guard let origin = head.headers.bytes(of: "Origin") else {
            CrossOrigin.allow(nil, in: &response, when: false)
            return
        }
        CrossOrigin.allow(origin, in: &response, when: await origins.allows(origin, audience))
    }

    private func report(_ problem: Problem, _ request: Request, _ template: String?) {
        if case .broken(let sqlState)? = problem.cause {
            observe(.databaseFault(sqlState: sqlState, route: template ?? "", requestID: request.id))
        }
        for policy in problem.violatedPolicies { observe(.limited(policy)) }
    }
}
