package import Consent
package import JSON

extension JSONWriter {
    /// A registered application with every policy member, defaults included.
    package mutating func app(_ app: App) {
        let settings = app.settings
        beginObject()
        key("id")
        string(app.id.text)
        key("name")
        string(settings.name)
        key("bundleId")
        string(settings.bundleID)
        key("appAppleId")
        string(settings.appAppleID)
        key("environments")
        beginArray()
        for environment in settings.environments { string(environment.rawValue) }
        endArray()
        key("allowedOrigins")
        beginArray()
        for origin in settings.allowedOrigins { string(origin) }
        endArray()
        key("policy")
        policy(settings.policy)
        key("revision")
        integer(app.revision)
        key("createdAt")
        moment(app.createdAt)
        key("updatedAt")
        moment(app.updatedAt)
        endObject()
    }

    private mutating func rateLimit(_ limit: RateLimit?) {
        guard let limit else { return null() }
        beginObject()
        key("requests")
        integer(limit.requests)
        key("seconds")
        integer(limit.seconds)
        endObject()
    }

    /// A key's public side; `secret`, the text to authenticate with, is shown once, in the reply that made the key.
    package mutating func apiKey(_ apiKey: APIKey, secret: String? = nil) {
        beginObject()
        key("id")
        identifier(apiKey.id)
        key("app")
        string(apiKey.app?.text)
        key("role")
        string(apiKey.role.rawValue)
        key("label")
        string(apiKey.label)
        key("rateLimit")
        rateLimit(apiKey.rateLimit)
        key("createdAt")
        moment(apiKey.createdAt)
        key("revokedAt")
        moment(apiKey.revokedAt)
        if let secret {
            key("key")
            string(secret)
        }
        endObject()
    }
}
