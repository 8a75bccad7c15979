import Consent

extension WebhookMessage {
    /// What is told of an event: which resource it is about, and where that stands.
    init(_ event: EventRecord) {
        let (id, state) = event.subject
        self.init(
            type: event.type.rawValue, at: event.at, id: id, person: event.person, personRef: event.personRef,
            state: state, revision: event.revision)
    }
}

extension EventRecord {
    /// The id by which the resource is read, and its state where it has one.
    fileprivate var subject: (id: String?, state: String?) {
        switch data {
        case .question(let question, _): (question.id.text, question.state.rawValue)
        case .person, .rescission, .reinstated, .erased, .account: (person?.text, nil)
        case .linked(let guardian), .unlinked(let guardian, _): (guardian.text, nil)
        case .acknowledgment(let acknowledgment): (acknowledgment.change.text, nil)
        case .change(let change): (change.id.text, nil)
        case .ageRating(let step): (step.change?.text, nil)
        case .notification(let notification): (notification.id.text, notification.status.rawValue)
        case .app(let app): (app.id.text, nil)
        case .key(let key): (key.id.text, nil)
        case .webhookDisabled(let disabling): (disabling.endpoint.text, WebhookEndpoint.Status.disabled.rawValue)
        }
    }
}
