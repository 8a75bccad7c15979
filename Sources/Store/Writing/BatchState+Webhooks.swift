import Consent

/// Commands about webhooks: endpoints, what is sent to them, and what came of it.
extension BatchState {
    mutating func decide(_ command: WebhookCommand) -> Reply {
        if case .record(let reports) = command {
            for report in reports { record(report) }
            return .done(.webhook(.recorded))
        }
        if case .create(let id, let settings, let status, let secret) = command {
            return create(id, settings, status, secret)
        }
        guard let id = command.endpoint, let endpoint = webhooks.endpoints[id] else {
            return refused(.unknownWebhookEndpoint)
        }
        switch command {
        case .create, .record: return refused(.unknownWebhookEndpoint)
        case .replace(_, let settings, let status, let precondition):
            guard precondition.allows(revision: endpoint.revision) else { return refused(.preconditionFailed) }
            let next = endpoint.replaced(by: settings, status: status, now: now)
            keep(next, starts: endpoint.status == .disabled && next.status == .enabled)
            return .done(.webhook(.endpoint(next, created: false)))
        case .delete:
            webhooks.endpoints[id] = nil
            webhooks.count -= 1
            writes.webhooks.delete(id)
            return .done(.webhook(.deleted))
        case .rotate(_, let secret, let overlap):
            // The same again is this very command run twice: no two secrets are sealed to the same bytes.
            guard endpoint.secrets.first?.sealed != secret else { return .done(.webhook(.rotated(endpoint))) }
            let next = endpoint.rotated(to: secret, overlapSeconds: overlap, now: now)
            keep(next)
            return .done(.webhook(.rotated(next)))
        case .redeliver(_, let feed, let seq): return redeliver(endpoint, feed, seq)
        case .replay(_, let since): return replay(endpoint, since)
        case .test:
            guard endpoint.status == .enabled else { return refused(.webhookEndpointDisabled(endpoint)) }
            return send(newDeliveryID(), nil, to: endpoint)
        }
    }

    private mutating func create(
        _ id: Identifier, _ settings: WebhookSettings, _ status: WebhookEndpoint.Status, _ secret: [UInt8]
    ) -> Reply {
        if let existing = webhooks.endpoints[id] { return .done(.webhook(.endpoint(existing, created: true))) }
        guard webhooks.count < WebhookEndpoint.mostPerApp else { return refused(.tooManyWebhookEndpoints) }
        let isEnabled = status == .enabled
        let endpoint = WebhookEndpoint(
            id: id, settings: settings, status: status, disabledReason: isEnabled ? nil : .operatorRequest,
            disabledAt: isEnabled ? nil : now, secrets: [WebhookSecret(sealed: secret, endsAt: nil)], revision: 1,
            createdAt: now, updatedAt: now)
        webhooks.endpoints[id] = endpoint
        webhooks.count += 1
        writes.webhooks.put(endpoint, isNew: true, starts: true)
        return .done(.webhook(.endpoint(endpoint, created: true)))
    }

    private mutating func redeliver(_ endpoint: WebhookEndpoint, _ feed: String, _ seq: Int64) -> Reply {
        guard endpoint.status == .enabled else { return refused(.webhookEndpointDisabled(endpoint)) }
        let name = WebhookNeeds.EventName(endpoint: endpoint.id, seq: seq)
        guard let event = webhooks.events[name], event.feed.hasBytes(of: feed) else {
            return refused(.unknownEvent)
        }
        let delivery = event.delivery ?? newDeliveryID()
        webhooks.events[name] = .init(feed: event.feed, delivery: delivery)
        return send(delivery, seq, to: endpoint)
    }

    private mutating func send(_ delivery: Identifier, _ seq: Int64?, to endpoint: WebhookEndpoint) -> Reply {
        writes.webhooks.sent.append(.init(delivery: delivery, endpoint: endpoint.id, seq: seq))
        return .done(.webhook(.delivery(endpoint: endpoint.id, delivery)))
    }

    private mutating func replay(_ endpoint: WebhookEndpoint, _ since: Instant) -> Reply {
        guard endpoint.status == .enabled else { return refused(.webhookEndpointDisabled(endpoint)) }
        guard let place = webhooks.places[since] else { return refused(.unknownApp) }
        writes.webhooks.rewind(endpoint.id, to: place.seq)
        return .done(.webhook(.replay(feed: place.feed, after: place.seq)))
    }

    /// What an attempt came to counts only while its lease does: another holder's is another attempt.
    private mutating func record(_ report: DeliveryReport) {
        guard let delivery = webhooks.leased.removeValue(forKey: .init(report)) else { return }
        let endpoint = webhooks.endpoints[delivery.endpoint]
        let next = endpoint?.after(report.result, now: now)
        // Nobody tries again what is not wanted any more.
        let verdict =
            endpoint == nil && !report.result.isSuccess
            ? .failed
            : DeliveryVerdict(after: report.result, try: delivery.tries + 1, jitter: report.jitter, now: now)
        var (status, failure): (Int?, AttemptFailure?)
        switch report.result {
        case .answered(let code, _): status = code
        case .failed(let why): failure = why
        }
        let attempt = DeliveryAttempt(
            number: delivery.attempts + 1,
            startedAt: Instant(microseconds: now.microseconds - Int64(max(0, report.milliseconds)) * 1_000),
            milliseconds: max(0, report.milliseconds), status: status, failure: failure)
        writes.webhooks.settled.append(.init(delivery: report.delivery, verdict: verdict, attempt: attempt))
        if let endpoint, let next, next.isWorthKeeping(after: endpoint) { keep(next) }
    }

    private mutating func keep(_ endpoint: WebhookEndpoint, starts: Bool = false) {
        let before = webhooks.endpoints[endpoint.id]
        guard before != endpoint else { return }
        webhooks.endpoints[endpoint.id] = endpoint
        writes.webhooks.put(endpoint, starts: starts)
        guard before?.status == .enabled, let reason = endpoint.disabledReason else { return }
        let disabling = WebhookDisabling(endpoint: endpoint.id, reason: reason, failingSince: endpoint.failingSince)
        writes.events.append(
            PendingEvent(
                type: .webhookEndpointDisabled, personRef: nil, question: nil, revision: endpoint.revision,
                data: EventEncoding.webhookDisabled(disabling)))
    }

    private func newDeliveryID() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return Identifier(createdAt: now, random: generator.next())
    }
}

extension WebhookEndpoint {
    /// Whether what an attempt changed is to be written: that one more succeeded within a minute is not.
    fileprivate func isWorthKeeping(after before: WebhookEndpoint) -> Bool {
        if failingSince != before.failingSince || status != before.status { return true }
        guard let lastSuccessAt else { return false }
        return before.lastSuccessAt.map { lastSuccessAt >= $0.adding(seconds: 60) } ?? true
    }
}

extension WebhookOutcome {
    /// What a repeat of the request reads for its answer.
    var resource: ResourceName {
        switch self {
        case .endpoint(let endpoint, _), .rotated(let endpoint): .webhook(.endpoint(endpoint.id))
        case .delivery(let endpoint, let id): .webhook(.delivery(endpoint: endpoint, id))
        case .replay(let feed, let after): .webhook(.replay(feed: feed, after: after))
        case .deleted, .recorded: .nothing
        }
    }
}
