/// Where one exchange stands: a value, and one pure function from what happened to what must be done about it. No time, no
/// locks, no C; `Exchange` holds it and does what it says.
enum ExchangeState: Sendable {
    /// The request line is in, the head is not.
    case head
    /// The head was accepted, the body is arriving.
    case body
    /// The body ran past this limit; the rest is thrown away so that the refusal can be sent at its end.
    case discarding(limit: Int)
    /// The handler has begun, the connection is not suspended.
    case handling
    /// The handler is at work, the connection is suspended.
    case suspended
    /// The answer is decided and waits for libmicrohttpd's thread to collect it.
    case ready(Answer)
    /// The answer was handed to libmicrohttpd.
    case sending(refused: Bool)
    /// The socket was shut by us, which is how the exchange will have ended; the library has yet to notice.
    case dying(ExchangeRecord.Ending)
    /// Nothing more can happen.
    case ended
}

/// What is to be sent: the handler's response, or the refusal of a fault.
enum Answer: Sendable {
    case response(Response)
    case refusal(Fault)
}

/// What happened to an exchange.
enum ExchangeEvent: Sendable {
    /// The head was read and may have a body.
    case headAccepted
    /// The head was read and must be refused.
    case headRefused(Fault)
    /// The library is about to refuse the head by itself, in a way that cannot be left to it.
    case headUnreadable(Fault)
    /// More body came than the limit allows.
    case bodyPastLimit(Int)
    /// More of it than is worth throwing away.
    case discardExhausted
    /// The request is whole.
    case bodyEnded
    /// The handler's task was started and the thread came back from it.
    case returned
    /// The connection was suspended.
    case suspended
    /// The handler answered.
    case answered(Response)
    /// libmicrohttpd called after the connection was resumed.
    case collected
    /// The time of what the exchange is doing has passed.
    case deadline
    /// The server is stopping and its grace is over.
    case draining
    /// libmicrohttpd sent the whole response.
    case sent
    /// libmicrohttpd gave the request up.
    case clientGone
}

/// What must be done.
enum ExchangeAction: Sendable {
    case none
    /// Start the handler's task, then report `returned`.
    case start
    /// Suspend the connection, then report `suspended`.
    case suspend
    /// Resume the connection.
    case resume
    /// Cancel the handler's task, whose answer nobody waits for.
    case cancel
    /// Cancel the handler's task and resume the connection.
    case cancelAndResume
    /// Hand the answer to libmicrohttpd.
    case queue(Answer)
    /// Send the refusal straight to the socket if that can be done, and shut it. `head` says whether the head is known.
    case shut(Fault?, head: Bool)
    /// Tell libmicrohttpd to close the connection.
    case close
    /// Write the record.
    case finish(ExchangeRecord.Ending)
}

extension ExchangeState {
    /// Every pair of state and event has its row; an impossible one changes nothing, except that libmicrohttpd's own calls on a
    /// dead exchange are told to close.
    mutating func handle(_ event: ExchangeEvent) -> ExchangeAction {
        switch self {
        case .head: handleInHead(event)
        case .body: handleInBody(event)
        case .discarding(let limit): handleInDiscarding(event, limit: limit)
        case .handling: handleInHandling(event)
        case .suspended: handleInSuspended(event)
        case .ready(let answer): handleInReady(event, answer)
        case .sending(let refused): handleInSending(event, refused: refused)
        case .dying(let ending): handleInDying(event, ending)
        case .ended: handleInEnded(event)
        }
    }

    private mutating func become(_ next: ExchangeState, _ action: ExchangeAction) -> ExchangeAction {
        self = next
        return action
    }

    private mutating func handleInHead(_ event: ExchangeEvent) -> ExchangeAction {
        switch event {
        case .headAccepted: become(.body, .none)
        case .headRefused(let fault): become(.sending(refused: true), .queue(.refusal(fault)))
        case .headUnreadable(let fault): become(.dying(.refused), .shut(fault, head: false))
        case .deadline: become(.dying(.timedOut), .shut(.headTimeout, head: false))
        case .draining: become(.dying(.timedOut), .shut(.draining, head: false))
        case .sent, .clientGone: become(.ended, .finish(.clientGone))
        case .bodyPastLimit, .discardExhausted, .bodyEnded, .returned, .suspended, .answered, .collected: .none
        }
    }

    private mutating func handleInBody(_ event: ExchangeEvent) -> ExchangeAction {
        switch event {
        case .bodyPastLimit(let limit): become(.discarding(limit: limit), .none)
        case .bodyEnded: become(.handling, .start)
        case .deadline: become(.dying(.timedOut), .shut(.bodyTimeout, head: true))
        case .draining: become(.dying(.timedOut), .shut(.draining, head: true))
        case .sent, .clientGone: become(.ended, .finish(.clientGone))
        case .headAccepted, .headRefused, .headUnreadable, .discardExhausted, .returned, .suspended, .answered,
            .collected:
            .none
        }
    }

    private mutating func handleInDiscarding(_ event: ExchangeEvent, limit: Int) -> ExchangeAction {
        switch event {
        case .bodyEnded: become(.sending(refused: true), .queue(.refusal(.bodyTooLarge(limit: limit))))
        case .discardExhausted, .deadline, .draining:
            become(.dying(.refused), .shut(.bodyTooLarge(limit: limit), head: true))
        case .sent, .clientGone: become(.ended, .finish(.clientGone))
        case .headAccepted, .headRefused, .headUnreadable, .bodyPastLimit, .returned, .suspended, .answered, .collected:
            .none
        }
    }

    private mutating func handleInHandling(_ event: ExchangeEvent) -> ExchangeAction {
        switch event {
        case .returned: .suspend
        case .suspended: become(.suspended, .none)
        case .answered(let response): become(.ready(.response(response)), .none)
        case .deadline: become(.ready(.refusal(.deadline)), .cancel)
        case .draining: become(.ready(.refusal(.draining)), .cancel)
        case .sent, .clientGone: become(.ended, .finish(.clientGone))
        case .headAccepted, .headRefused, .headUnreadable, .bodyPastLimit, .discardExhausted, .bodyEnded, .collected:
            .none
        }
    }

    private mutating func handleInSuspended(_ event: ExchangeEvent) -> ExchangeAction {
        switch event {
        case .answered(let response): become(.ready(.response(response)), .resume)
        case .deadline: become(.ready(.refusal(.deadline)), .cancelAndResume)
        case .draining: become(.ready(.refusal(.draining)), .cancelAndResume)
        case .sent, .clientGone: become(.ended, .finish(.clientGone))
        case .headAccepted, .headRefused, .headUnreadable, .bodyPastLimit, .discardExhausted, .bodyEnded, .returned,
            .suspended,
            .collected:
            .none
        }
    }

    private mutating func handleInReady(_ event: ExchangeEvent, _ answer: Answer) -> ExchangeAction {
        switch event {
        case .returned, .collected: become(.sending(refused: answer.isRefusal), .queue(answer))
        // The answer came between the decision to suspend and the suspension: nobody else will resume.
        case .suspended: .resume
        case .sent, .clientGone: become(.ended, .finish(.clientGone))
        case .headAccepted, .headRefused, .headUnreadable, .bodyPastLimit, .discardExhausted, .bodyEnded, .answered,
            .deadline,
            .draining:
            .none
        }
    }

    private mutating func handleInSending(_ event: ExchangeEvent, refused: Bool) -> ExchangeAction {
        switch event {
        case .sent: become(.ended, .finish(refused ? .refused : .answered))
        case .clientGone: become(.ended, .finish(.clientGone))
        case .deadline: become(.dying(.timedOut), .shut(nil, head: true))
        case .headAccepted, .headRefused, .headUnreadable, .bodyPastLimit, .discardExhausted, .bodyEnded, .returned,
            .suspended,
            .answered, .collected, .draining:
            .none
        }
    }

    private mutating func handleInDying(_ event: ExchangeEvent, _ ending: ExchangeRecord.Ending) -> ExchangeAction {
        switch event {
        case .headAccepted, .headRefused, .bodyPastLimit, .bodyEnded, .collected: .close
        case .sent, .clientGone: become(.ended, .finish(ending))
        case .headUnreadable, .discardExhausted, .returned, .suspended, .answered, .deadline, .draining: .none
        }
    }

    private func handleInEnded(_ event: ExchangeEvent) -> ExchangeAction {
        switch event {
        case .headAccepted, .headRefused, .bodyPastLimit, .bodyEnded, .collected: .close
        case .headUnreadable, .discardExhausted, .returned, .suspended, .answered, .deadline, .draining, .sent,
            .clientGone:
            .none
        }
    }
}

extension Answer {
    /// Whether its end is not known yet.
    var isStream: Bool {
        switch self {
        case .response(let response): response.stream != nil
        case .refusal: false
        }
    }

    var isRefusal: Bool {
        switch self {
        case .response: false
        case .refusal: true
        }
    }
}
