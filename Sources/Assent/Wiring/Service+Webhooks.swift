import API
import Consent
import Crypto
import Store
import Workers

extension Service {
    private var addressPolicy: AddressPolicy { AddressPolicy(allowed: configuration.webhookAllow) }

    /// What it takes to register an endpoint; without the operator's key none can be.
    func webhookDesk(_ secrets: SecretBox?) -> WebhookDesk {
        var seal: WebhookDesk.Sealing?
        if let secrets { seal = { try secrets.seal($0, for: .webhook($1, $2)) } }
        return WebhookDesk(policy: addressPolicy, seal: seal) { url in
            switch url.host {
            case .address(let address): [address]
            case .name(let name): await HostLookup.addresses(of: name)
            }
        }
    }

    /// Starts what delivers webhooks; nothing does without the operator's key, which their secrets are sealed under.
    func startDeliveries(_ store: Store, _ line: FeedLine, _ secrets: SecretBox?) throws(StartFailure) {
        guard let secrets else { return }
        let observer = observer
        let courier = try openCourier()
        var settings = Deliveries.Settings()
        settings.places = configuration.webhookConcurrency
        let deliveries = Deliveries(store, courier: courier, settings: settings) { delivery in
            delivery.secrets.compactMap { sealed in
                try? secrets.open(sealed, for: .webhook(delivery.app, delivery.endpoint))
            }
        } observe: {
            observer.record(.delivery($0))
        }
        line.attach { deliveries.hear($0) }
        let work = Task { await deliveries.run() }
        closing.add { [grace = settings.grace] in
            work.cancel()
            // What came of attempts may wait for a database that is gone: once it has had its time, the store's end gives it up.
            let end = Task {
                guard (try? await Task.sleep(for: grace + .seconds(2))) != nil else { return }
                await store.stop(within: .seconds(2))
            }
            await work.value
            end.cancel()
            await end.value
        }
        observer.metrics.add([
            Gauge("assent_webhook_attempts_under_way", .gauge, "Attempts to deliver under way.") { deliveries.underWay }
        ])
    }

    private func openCourier() throws(StartFailure) -> Courier {
        if let file = configuration.webhookAuthorities, Files.read(file) == nil {
            throw .failed("--webhook-ca-file: \(file) cannot be read")
        }
        var settings = Courier.Settings()
        settings.policy = addressPolicy
        settings.authorities = configuration.webhookAuthorities
        settings.timeout = configuration.webhookTimeout
        settings.userAgent = "Assent-Webhooks/\(Build.version)"
        do throws(Courier.Failure) {
            return try Courier(settings)
        } catch {
            throw .failed("libcurl cannot be used: no memory or thread, or no threads of its own to look names up")
        }
    }
}

extension SecretBox.Context {
    /// What a webhook's secret is sealed for.
    fileprivate static func webhook(_ app: AppID, _ endpoint: Identifier) -> SecretBox.Context {
        SecretBox.Context(purpose: WebhookSecret.purpose, app: app.text, id: endpoint.text)
    }
}
