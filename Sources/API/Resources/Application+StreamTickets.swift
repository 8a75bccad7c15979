import Consent
import Crypto
import HTTPServer
import Representation
import Store

extension Application {
    /// A ticket with which a browser opens one stream: its `EventSource` sends no headers.
    func createStreamTicket(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let posted: PostedStreamTicket
        do { posted = try PostedStreamTicket(body: call.bodyOrEmptyObject) } catch { throw Problem(error) }
        // Read first: whoever goes on after it misses nothing that happens before their stream opens.
        let head = try await read { () async throws(StoreFailure) in try await store.heads([call.app])[call.app] }
        guard let head else { throw Problem(.appNotFound) }
        let (filter, _) = try await filter(call, posted.person, posted.question, posted.types)
        let text: TicketText
        let hash: [UInt8]
        let terms: TokenTerms?
        do {
            text = try TicketText(app: call.app)
            hash = try text.hash()
            terms = try call.caller.terms()
        } catch {
            throw Problem(.internalError)
        }
        let ticket = StreamTicket(
            hash: hash, key: call.caller.key, token: terms, personRef: filter.personRef, question: filter.question,
            types: filter.types.map { Array($0) })
        return try await submit(
            .keepTicket(ticket), call,
            ticket: NewTicket(text: text.text, cursor: EventPosition(feed: head.feed, seq: head.seq)))
    }

    /// Opens the stream that a ticket in the address is for, and uses it up; a request that could not have a stream anyway leaves
    /// it as it is.
    func openStream(_ request: Request, _ audience: inout Audience) async throws(Problem) -> Response {
        let named = request.query.first { $0.name.utf8.elementsEqual("ticket".utf8) }?.value
        guard let text = named.flatMap({ TicketText($0) }) else { throw .wrongTicket }
        let query = try Parameters(request.query, allowing: ["ticket", "after"])
        guard request.headers.bytes(of: "Authorization") == nil else {
            throw .header("Authorization", "A ticket stands for a key; send one of the two.")
        }
        guard request.method == .get else { throw .parameter("ticket", "A ticket opens a stream, with GET.") }
        guard MediaType.wantsEventStream(request.headers) else {
            throw .header("Accept", "A ticket opens a stream; send Accept: text/event-stream.")
        }
        if let standing = limits.tickets.exhaustion(request.head) {
            throw limits.tickets.problem("Too many tickets of this source were not valid.", standing)
        }
        let begun = clock.monotonic()
        guard let used = try await use(text), await authenticator.isInForce(used.ticket.key) else {
            _ = limits.tickets.count(request.head)
            throw .wrongTicket
        }
        audience = .app(text.app)
        var response = try stream(
            request, text.app, FeedReader(used, at: begun), FeedFilter(used.ticket), query)
        response.headers.append(HeaderField("Vary", "Accept"))
        return response
    }

    /// Nil for a ticket that is not, or no more, and for one about a person who was erased meanwhile.
    private func use(_ text: TicketText) async throws(Problem) -> UsedTicket? {
        let hash: [UInt8]
        do { hash = try text.hash() } catch { throw Problem(.internalError) }
        let submission = Submission(app: text.app, command: .useTicket(hash))
        let reply = try await read { () async throws(StoreFailure) in try await store.submit(submission) }
        guard case .done(.used(let used?)) = reply else { return nil }
        return used.ticket.personRef == nil || used.person != nil ? used : nil
    }
}

extension Caller {
    /// What a token makes of a stream; nil for a key.
    fileprivate func terms() throws(CryptoError) -> TokenTerms? {
        guard let grant else { return nil }
        var guardian: CallerID?
        if case .guardian(let id) = grant.subject { guardian = id }
        return TokenTerms(
            holder: try streamHolder(), guardian: guardian,
            endsAt: Instant(microseconds: grant.expiresAt &* 1_000_000))
    }
}

extension FeedReader {
    /// - Parameter moment: not after the ticket was used.
    fileprivate init(_ used: UsedTicket, at moment: ContinuousClock.Instant) {
        let token = used.ticket.token
        self.init(
            key: used.ticket.key, holder: token?.holder ?? used.ticket.key, isToken: token != nil,
            deadline: token.map {
                moment + .microseconds($0.endsAt.microseconds &- used.at.microseconds)
            })
    }
}

extension FeedFilter {
    fileprivate init(_ ticket: StreamTicket) {
        personRef = ticket.personRef
        question = ticket.question
        types = ticket.types.map { Set($0) }
        if let id = ticket.token?.guardian {
            guardian = GuardianView(id)
            stored = .guardian(id, personRef: nil, question: nil)
        }
        if let personRef { stored = stored(.personRef(personRef), personRef, nil) }
        if let question { stored = stored(.question(question), nil, question) }
    }
}

extension Problem {
    fileprivate static var wrongTicket: Problem {
        .unauthenticated("The ticket is not valid: it was used before, or is older than a minute.")
    }
}

/// What of a new ticket is shown once.
struct NewTicket {
    let text: String
    /// Where the log stood before the ticket was made.
    let cursor: EventPosition
}
