import Testing

@testable import HTTPServer

/// The machine alone, then every way in which libmicrohttpd's thread, the handler, the watchdog and a stopping server can
/// interleave around it.
@Suite struct ExchangeStateTests {
    static let states: [ExchangeState] = [
        .head, .body, .discarding(limit: 9), .handling, .suspended, .ready(.response(Response(status: 200))),
        .ready(.refusal(.deadline)), .sending(refused: false), .sending(refused: true), .dying(.timedOut),
        .dying(.refused), .ended,
    ]
    static let events: [ExchangeEvent] = [
        .headAccepted, .headRefused(.bothLengths), .headUnreadable(.bothLengths), .bodyPastLimit(9), .discardExhausted,
        .bodyEnded, .returned,
        .suspended,
        .answered(Response(status: 201)), .collected, .deadline, .draining, .sent, .clientGone,
    ]

    /// The whole table: what is not listed changes nothing and asks for nothing.
    static let table: [String: String] = [
        "head headAccepted": "body none",
        "head headRefused": "sending-refused queue-both_lengths",
        "head headUnreadable": "dying-refused shut-both_lengths",
        "head deadline": "dying-timedOut shut-head_timeout",
        "head draining": "dying-timedOut shut-draining",
        "head sent": "ended finish-clientGone",
        "head clientGone": "ended finish-clientGone",
        "body bodyPastLimit": "discarding none",
        "body bodyEnded": "handling start",
        "body deadline": "dying-timedOut shut-body_timeout+head",
        "body draining": "dying-timedOut shut-draining+head",
        "body sent": "ended finish-clientGone",
        "body clientGone": "ended finish-clientGone",
        "discarding discardExhausted": "dying-refused shut-body_too_large+head",
        "discarding bodyEnded": "sending-refused queue-body_too_large",
        "discarding deadline": "dying-refused shut-body_too_large+head",
        "discarding draining": "dying-refused shut-body_too_large+head",
        "discarding sent": "ended finish-clientGone",
        "discarding clientGone": "ended finish-clientGone",
        "handling returned": "handling suspend",
        "handling suspended": "suspended none",
        "handling answered": "ready-201 none",
        "handling deadline": "ready-deadline cancel",
        "handling draining": "ready-draining cancel",
        "handling sent": "ended finish-clientGone",
        "handling clientGone": "ended finish-clientGone",
        "suspended answered": "ready-201 resume",
        "suspended deadline": "ready-deadline cancelAndResume",
        "suspended draining": "ready-draining cancelAndResume",
        "suspended sent": "ended finish-clientGone",
        "suspended clientGone": "ended finish-clientGone",
        "ready-200 returned": "sending-answered queue-200",
        "ready-200 collected": "sending-answered queue-200",
        "ready-200 suspended": "ready-200 resume",
        "ready-200 sent": "ended finish-clientGone",
        "ready-200 clientGone": "ended finish-clientGone",
        "ready-deadline returned": "sending-refused queue-deadline",
        "ready-deadline collected": "sending-refused queue-deadline",
        "ready-deadline suspended": "ready-deadline resume",
        "ready-deadline sent": "ended finish-clientGone",
        "ready-deadline clientGone": "ended finish-clientGone",
        "sending-answered deadline": "dying-timedOut shut+head",
        "sending-answered sent": "ended finish-answered",
        "sending-answered clientGone": "ended finish-clientGone",
        "sending-refused deadline": "dying-timedOut shut+head",
        "sending-refused sent": "ended finish-refused",
        "sending-refused clientGone": "ended finish-clientGone",
        "dying-timedOut headAccepted": "dying-timedOut close",
        "dying-timedOut headRefused": "dying-timedOut close",
        "dying-timedOut bodyPastLimit": "dying-timedOut close",
        "dying-timedOut bodyEnded": "dying-timedOut close",
        "dying-timedOut collected": "dying-timedOut close",
        "dying-timedOut sent": "ended finish-timedOut",
        "dying-timedOut clientGone": "ended finish-timedOut",
        "dying-refused headAccepted": "dying-refused close",
        "dying-refused headRefused": "dying-refused close",
        "dying-refused bodyPastLimit": "dying-refused close",
        "dying-refused bodyEnded": "dying-refused close",
        "dying-refused collected": "dying-refused close",
        "dying-refused sent": "ended finish-refused",
        "dying-refused clientGone": "ended finish-refused",
        "ended headAccepted": "ended close",
        "ended headRefused": "ended close",
        "ended bodyPastLimit": "ended close",
        "ended bodyEnded": "ended close",
        "ended collected": "ended close",
    ]

    @Test func everyPairDoesWhatTheTableSays() {
        for state in Self.states {
            for event in Self.events {
                var machine = state
                let action = machine.handle(event)
                let row = "\(state.name) \(event.name)"
                #expect("\(machine.name) \(action.name)" == Self.table[row] ?? "\(state.name) none", "\(row)")
            }
        }
    }

    @Test func noInterleavingBreaksTheRules() {
        var seen: Set<String> = []
        var ends: Set<String> = []
        var stack = [World()]
        while let world = stack.popLast() {
            guard seen.insert(world.key).inserted else { continue }
            let moves = world.moves
            if moves.isEmpty {
                #expect(world.finished == 1, "an exchange that never ends: \(world.key)")
                ends.insert(world.ending)
            }
            for move in moves {
                var next = world
                next.make(move)
                #expect(next.broken == nil, "\(next.broken ?? "") after \(move) in \(world.key)")
                if next.broken == nil { stack.append(next) }
            }
        }
        #expect(seen.count > 100)
        #expect(ends == ["answered", "refused", "clientGone", "timedOut"])
    }
}

/// libmicrohttpd, the handler, the watchdog and the stop, as far as an exchange can see them.
private struct World {
    enum Move {
        case head, refuse, unreadable, piece, tooMuch, wayTooMuch, whole, comeBack, suspended, handlerAnswers, resumed,
            wholeResponseSent
        case deadline, draining, connectionLost
    }

    enum Thread { case free, inStart, inSuspend }

    var machine = ExchangeState.head
    var thread = Thread.free
    var headDone = false, wholeDone = false, queued = false, socketShut = false
    var handlerRunning = false, handlerStarted = false
    var librarySuspended = false, resumePending = false
    var deadlineUsed = 0, drainingUsed = false
    var finished = 0
    var ending = ""
    var broken: String?

    var key: String {
        "\(machine.name) \(thread) \(headDone)\(wholeDone)\(queued)\(socketShut)\(handlerRunning)\(librarySuspended)"
            + "\(resumePending)\(deadlineUsed)\(drainingUsed)\(finished)\(ending)"
    }

    var moves: [Move] {
        if finished > 0 { return handlerRunning ? [.handlerAnswers] : [] }
        var moves: [Move] = []
        switch thread {
        case .inStart: moves.append(.comeBack)
        case .inSuspend: moves.append(.suspended)
        case .free:
            if librarySuspended {
                if resumePending { moves.append(.resumed) }
            } else if queued {
                moves += [.wholeResponseSent, .connectionLost]
            } else if !headDone {
                moves += [.head, .refuse, .unreadable, .connectionLost]
            } else if !wholeDone {
                moves += [.piece, .tooMuch, .wayTooMuch, .whole, .connectionLost]
            } else {
                moves += [.connectionLost]
            }
        }
        if handlerRunning { moves.append(.handlerAnswers) }
        if deadlineUsed < 2 { moves.append(.deadline) }
        if !drainingUsed { moves.append(.draining) }
        return moves
    }

    mutating func make(_ move: Move) {
        switch move {
        case .head:
            headDone = true
            post(.headAccepted)
        case .refuse:
            headDone = true
            post(.headRefused(.bothLengths))
        case .unreadable: post(.headUnreadable(.bothLengths))
        case .piece: break
        case .tooMuch: post(.bodyPastLimit(9))
        case .wayTooMuch: if case .discarding = machine { post(.discardExhausted) }
        case .whole:
            wholeDone = true
            post(.bodyEnded)
        case .comeBack:
            thread = .free
            post(.returned)
        case .suspended:
            thread = .free
            librarySuspended = true
            post(.suspended)
        case .handlerAnswers:
            handlerRunning = false
            post(.answered(Response(status: 200)))
        case .resumed:
            librarySuspended = false
            resumePending = false
            post(.collected)
        case .wholeResponseSent: post(.sent)
        case .connectionLost: post(.clientGone)
        case .deadline:
            deadlineUsed += 1
            post(.deadline)
        case .draining:
            drainingUsed = true
            post(.draining)
        }
    }

    mutating func post(_ event: ExchangeEvent) {
        switch machine.handle(event) {
        case .none: break
        case .start:
            if handlerStarted { broken = "started twice" }
            handlerStarted = true
            handlerRunning = true
            thread = .inStart
        case .suspend:
            if librarySuspended { broken = "suspended twice" }
            thread = .inSuspend
        case .resume: resume()
        case .cancel: if !handlerStarted { broken = "cancelled what never began" }
        case .cancelAndResume:
            if !handlerStarted { broken = "cancelled what never began" }
            resume()
        case .queue:
            if queued { broken = "answered twice" }
            if socketShut { broken = "answered on a shut socket" }
            if librarySuspended { broken = "answered while suspended" }
            queued = true
        case .shut:
            if librarySuspended { broken = "shut while suspended, which nobody would notice" }
            socketShut = true
        case .close: socketShut = true
        case .finish(let how):
            finished += 1
            ending = how.rawValue
            if finished > 1 { broken = "finished twice" }
            if librarySuspended || thread != .free { broken = "finished inside a callback or suspended" }
        }
    }

    private mutating func resume() {
        if !librarySuspended || resumePending { broken = "resumed what is not suspended" }
        resumePending = true
    }
}

extension ExchangeState {
    fileprivate var name: String {
        switch self {
        case .head: "head"
        case .body: "body"
        case .discarding: "discarding"
        case .handling: "handling"
        case .suspended: "suspended"
        case .ready(let answer): "ready-\(answer.name)"
        case .sending(let refused): refused ? "sending-refused" : "sending-answered"
        case .dying(let ending): "dying-\(ending.rawValue)"
        case .ended: "ended"
        }
    }
}

extension Answer {
    fileprivate var name: String {
        switch self {
        case .response(let response): "\(response.status)"
        case .refusal(let fault): fault.kind
        }
    }
}

extension ExchangeEvent {
    fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension ExchangeAction {
    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .start: "start"
        case .suspend: "suspend"
        case .resume: "resume"
        case .cancel: "cancel"
        case .cancelAndResume: "cancelAndResume"
        case .queue(let answer): "queue-\(answer.name)"
        case .shut(let fault, let head): (fault.map { "shut-\($0.kind)" } ?? "shut") + (head ? "+head" : "")
        case .close: "close"
        case .finish(let ending): "finish-\(ending.rawValue)"
        }
    }
}
