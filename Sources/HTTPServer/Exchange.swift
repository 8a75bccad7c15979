import Synchronization

/// One request and its answer, from the request line to the last byte sent: the shell around `ExchangeState`.
///
/// `shared` is owned by its lock. Everything else that varies is touched only on the thread of the event loop that owns the
/// connection, inside libmicrohttpd's callbacks; hence `@unchecked Sendable`.
final class Exchange: @unchecked Sendable {
    struct Shared {
        var machine = ExchangeState.head
        /// When what the exchange is doing must be over.
        var deadline: Int64
        var task: Task<Void, Never>?
        /// The answer's stream, once the answer was accepted.
        var stream: BodyStream?
        /// The status of what was written straight to the socket, or 0.
        var directStatus = 0
    }

    let loop: EventLoop
    let connection: Connection
    /// libmicrohttpd's handle; from other threads used only to resume, which the machine allows once and only while the
    /// connection is suspended and so alive.
    let handle: OpaquePointer
    let target: [UInt8]
    let started: Int64
    let shared: Mutex<Shared>

    // Loop thread only.
    var head: RequestHead?
    var body: [UInt8] = []
    var bodyLimit = 0
    /// Microseconds that the answer may take beyond the total time.
    var extraTime: Int64 = 0
    var headSeen = false
    var handlerStarted = false
    var bytesIn = 0
    var bytesOut = 0
    var status = 0
    var route: String?

    init(loop: EventLoop, connection: Connection, handle: OpaquePointer, target: [UInt8], now: Int64) {
        self.loop = loop
        self.connection = connection
        self.handle = handle
        self.target = target
        started = now
        shared = Mutex(Shared(deadline: now + loop.server.times.head))
        server.counters.exchanges.wrappingAdd(1, ordering: .relaxed)
        server.counters.requests.wrappingAdd(1, ordering: .relaxed)
    }

    var server: ServerState { loop.server }

    /// Makes the exchange the connection's own. It may have begun while the server was stopping: then it hears of that now,
    /// since whoever told the others cannot have seen it.
    func begin() {
        let since = connection.begin(self, now: started)
        if since != started { shared.withLock { $0.deadline = since + server.times.head } }
        if server.phase.load(ordering: .sequentiallyConsistent) == .draining { drain() }
    }

    /// Tells the machine, and sets the time by which the next thing must have happened; an answer has a time of its own to be
    /// sent in.
    func post(_ event: ExchangeEvent, deadline: Int64? = nil) -> ExchangeAction {
        shared.withLock { shared in
            if let deadline { shared.deadline = deadline }
            let action = shared.machine.handle(event)
            if case .queue(let answer) = action {
                shared.deadline =
                    answer.isStream ? .max : max(started + server.times.total, Monotonic.now() + server.times.send)
            }
            return action
        }
    }

    /// The watchdog looks at the clock.
    func watch(now: Int64) {
        let stream = shared.withLock { $0.stream }
        if let stream, stream.isStalled(since: now - server.times.send) {
            stream.cut(.tooSlow)
            connection.shut()
        }
        let action: ExchangeAction = shared.withLock { shared in
            guard now > shared.deadline else { return .none }
            let action = shared.machine.handle(.deadline)
            // A late refusal needs time of its own to be sent; what is shut already is not shut again.
            shared.deadline = now + server.times.send
            return action
        }
        perform(action)
    }

    /// The server's grace is over.
    func drain() { perform(post(.draining)) }

    /// The handler answered, on whatever thread it ended. A stream that came too late to be sent hears of it.
    func answer(_ response: Response) {
        let (action, isAccepted) = shared.withLock { shared in
            let action = shared.machine.handle(.answered(response))
            guard let stream = response.stream, case .ready(.response(let accepted)) = shared.machine,
                accepted.stream === stream
            else { return (action, false) }
            shared.stream = stream
            return (action, true)
        }
        if !isAccepted { response.stream?.close(sent: false) }
        perform(action)
    }

    /// The server is stopping: a stream ends after what was written to it.
    func endStream() { shared.withLock { $0.stream }?.finish() }

    /// The handler's task, so that it can be cancelled; at once, if the answer was decided without it meanwhile.
    func keep(_ task: Task<Void, Never>) {
        let late = shared.withLock { shared in
            switch shared.machine {
            case .handling, .suspended:
                shared.task = task
                return false
            case .head, .body, .discarding, .ready, .sending, .dying, .ended:
                return true
            }
        }
        if late { task.cancel() }
    }

    /// Does what can be done on any thread; the rest is for the loop's own and impossible here.
    private func perform(_ action: ExchangeAction) {
        switch action {
        case .resume: resume()
        case .cancel: cancel()
        case .cancelAndResume:
            cancel()
            resume()
        case .shut(let fault, let head): shut(fault, head: head)
        case .none, .start, .suspend, .queue, .close, .finish: break
        }
    }

    private func cancel() {
        let task = shared.withLock { shared in
            defer { shared.task = nil }
            return shared.task
        }
        task?.cancel()
    }

    /// `headIsIn` as the machine said it: only then may another thread read `head`, written before the machine was told of it.
    func shut(_ fault: Fault?, head headIsIn: Bool) {
        guard let fault else {
            connection.shut()
            return
        }
        server.counters.count(fault)
        let head = headIsIn ? head : nil
        let response = server.responder.refuse(fault, head: head)
        // Before the socket is shut: the library may report its end at once.
        shared.withLock { $0.directStatus = connection.secure ? 0 : response.status }
        connection.shut(sending: DirectReply.bytes(response, id: head?.id))
    }

    /// The library says that it cannot read this head. Only a plain socket can be answered past it.
    func refuseUnreadable(_ fault: Fault) {
        if !connection.secure { perform(post(.headUnreadable(fault))) }
    }
}
