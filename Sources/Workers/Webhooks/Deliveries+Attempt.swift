import Consent
import Crypto
import Glibc
import Representation
import Store

extension Deliveries {
    /// Makes an attempt and writes down what came of it, unless it is too late to begin one.
    func attempt(_ delivery: ClaimedDelivery, until latest: ContinuousClock.Instant) async {
        let began = ContinuousClock.now
        guard began < latest, let result = await result(of: delivery) else { return observe(.gaveUp) }
        let milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
        observe(
            .attempted(
                DeliveryAttempted(
                    app: delivery.app, endpoint: delivery.endpoint, delivery: delivery.id, number: delivery.attempt,
                    result: result, milliseconds: milliseconds)))
        await record(
            DeliveryReport(delivery, result, milliseconds: milliseconds, jitter: .random(in: 0...1)), delivery.app)
    }

    /// Posts it; nil where nothing is known of what became of it.
    private func result(of delivery: ClaimedDelivery) async -> AttemptResult? {
        // It was read when it was registered; the rules may have changed since.
        guard let url = try? WebhookURL(delivery.url), courier.settings.policy.refusal(of: url) == nil else {
            return .failed(.blocked)
        }
        let id = delivery.messageID
        let seconds = Int64(time(nil))
        let body = delivery.message.body
        let keys = open(delivery)
        guard !keys.isEmpty,
            let signature = try? WebhookSignature.header(id: id, seconds: seconds, body: body, keys: keys)
        else { return .failed(.unsigned) }
        return await courier.send(
            Letter(
                to: url,
                headers: [
                    ("webhook-id", id), ("webhook-timestamp", String(seconds)), ("webhook-signature", signature),
                ], body: body))
    }

    /// Tried again where the store fails: a lost outcome costs the receiver the same message once more.
    private func record(_ report: DeliveryReport, _ app: AppID) async {
        for pause in [Duration.milliseconds(200), .seconds(1), .zero] {
            do throws(StoreFailure) {
                return try await store.recordDeliveries(app, [report])
            } catch {
                observe(.failed(error))
                guard pause > .zero else { return }
                _ = try? await Task.sleep(for: pause)
            }
        }
    }
}

extension ClaimedDelivery {
    /// The same over all attempts, and of no other message: the event's id, or that of the test.
    fileprivate var messageID: String {
        switch source {
        case .event(let feed, let seq): EventPosition(feed: feed, seq: seq).text
        case .test: id.text
        }
    }
}
