import CMicrohttpd

/// The half of an exchange that runs inside libmicrohttpd's callbacks, on the loop's thread.
extension Exchange {
    /// One call of the access handler: the head is in, a piece of the body is in, the request is whole, or the connection was
    /// resumed.
    func advance(
        method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, upload: UnsafePointer<CChar>?,
        size: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        if !headSeen {
            headSeen = true
            return perform(readHead(method: method, version: version))
        }
        if let upload, size.pointee > 0 {
            let piece = UnsafeRawBufferPointer(start: upload, count: size.pointee)
            size.pointee = 0
            return perform(take(piece))
        }
        if handlerStarted { return perform(post(.collected)) }
        handlerStarted = true
        return perform(post(.bodyEnded, deadline: started + server.times.total + extraTime))
    }

    /// libmicrohttpd is done with the request.
    func end(sent: Bool) {
        let now = Monotonic.now()
        connection.end(now: now)
        server.counters.exchanges.wrappingSubtract(1, ordering: .relaxed)
        if let stream = shared.withLock({ $0.stream }) {
            bytesOut = stream.taken
            stream.close(sent: sent)
        }
        guard case .finish(var ending) = post(sent ? .sent : .clientGone) else { return }
        if status == 0 { status = shared.withLock { $0.directStatus } }
        let own = Int(assent_mhd_status(handle))
        if ending == .clientGone, status == 0, own != 0 {
            // The library found the request malformed while reading it and answered in our place.
            status = own
            ending = .refused
            server.counters.countLibraryRefusal()
        }
        server.responder.finished(
            ExchangeRecord(
                method: head?.method, route: route, status: status, micros: now - started, bytesIn: bytesIn,
                bytesOut: bytesOut, id: head?.id ?? "", ending: ending))
    }

    /// Resumes the connection. The count falls only afterwards: at zero the daemon may be stopped, and resuming uses it.
    func resume() {
        loop.resume(handle)
        server.counters.suspended.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    private func readHead(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> ExchangeAction {
        do throws(Fault) {
            let framing = try inspectHead(method: method, version: version)
            guard let head else { return post(.headRefused(.badRequestLine(detail: "the head cannot be read"))) }
            bodyLimit = server.responder.bodyLimit(of: head)
            extraTime = server.responder.extraTime(of: head).microseconds
            if case .length(let length) = framing {
                if length > bodyLimit { throw Fault.bodyTooLarge(limit: bodyLimit) }
                body.reserveCapacity(length)
            }
            guard framing != .none else { return post(.headAccepted) }
            let now = Monotonic.now()
            return post(.headAccepted, deadline: min(now + server.times.body, started + server.times.total))
        } catch {
            connection.linger()
            return post(.headRefused(error))
        }
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> ExchangeAction {
        bytesIn += piece.count
        if bytesIn <= bodyLimit {
            body.append(contentsOf: piece)
            return .none
        }
        body = []
        if bytesIn - bodyLimit > server.configuration.discardLimit { return post(.discardExhausted) }
        return post(.bodyPastLimit(bodyLimit))
    }

    private func perform(_ action: ExchangeAction) -> MHD_Result {
        switch action {
        case .none: return .YES
        case .start:
            start()
            return perform(post(.returned))
        case .suspend:
            server.counters.suspended.wrappingAdd(1, ordering: .sequentiallyConsistent)
            MHD_suspend_connection(handle)
            return perform(post(.suspended))
        case .resume:
            resume()
            return .YES
        case .queue(let answer): return queue(answer)
        case .shut(let fault, let head):
            shut(fault, head: head)
            return .NO
        case .cancel, .cancelAndResume, .finish: return .YES
        case .close: return .NO
        }
    }

    /// Begins the handler on this very thread: what it does before its first wait, and all of it if it never waits, costs no
    /// hop to another thread and no suspension, which is 40 % of the CPU of a request that only reads memory.
    private func start() {
        guard let head else { return }
        let request = Request(head: head, body: body)
        body = []
        keep(
            Task.immediate(executorPreference: loop) { [self] in
                answer(await server.responder.respond(to: request))
            })
    }

    private func queue(_ answer: Answer) -> MHD_Result {
        let response = usable(answer)
        let made =
            if let stream = response.stream {
                StreamReader(stream, loop, handle).response()
            } else {
                response.body.withUnsafeBytes { body in
                    MHD_create_response_from_buffer(
                        body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
                }
            }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        for field in response.headers where !field.isReserved && !field.value.utf8.isEmpty {
            add(field.name, field.value, to: made)
        }
        // In chunks the library would send a HEAD request the last of them.
        if response.stream != nil, head?.method == .head { _ = assent_mhd_end_with_connection(made) }
        if let id = head?.id { add("X-Request-Id", id, to: made) }
        if server.phase.load(ordering: .relaxed) != .serving {
            add("Connection", "close", to: made)
            connection.linger()
            response.stream?.finish()
        }
        status = response.status
        route = response.route
        let bodiless = head?.method == .head || response.status == 204 || response.status == 304
        bytesOut = bodiless ? 0 : response.body.count
        return MHD_queue_response(handle, UInt32(response.status), made)
    }

    /// The library copies both texts. Lent as they lie in memory: passed as Strings each would become an array first.
    private func add(_ name: String, _ value: String, to response: OpaquePointer) {
        name.withCString { name in
            value.withCString { value in
                _ = MHD_add_response_header(response, name, value)
            }
        }
    }

    private func refuse(_ fault: Fault) -> Response {
        server.counters.count(fault)
        return server.responder.refuse(fault, head: head)
    }

    /// The response, or the refusal of one that cannot be sent, or at last an empty 500.
    private func usable(_ answer: Answer) -> Response {
        let response: Response
        switch answer {
        case .response(let given): response = given
        case .refusal(let fault): response = refuse(fault)
        }
        guard let fault = response.fault else { return response }
        let refusal = refuse(fault)
        return refusal.fault == nil ? refusal : Response(status: 500)
    }
}
