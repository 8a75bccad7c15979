package import AppStore

/// A payload's members as JSON texts, to be changed one at a time; nil leaves a member out.
package struct TestPayload: Sendable {
    package static let bundle = "com.example.reader"
    package static let appAppleID = "41234"
    package static let uuid = "002e14d5-51f5-4503-b5a8-c3a1af68eb20"

    /// In the order written.
    package var members: [(name: String, json: String)]

    package init(_ members: [(name: String, json: String)]) {
        self.members = members
    }

    package subscript(_ name: String) -> String? {
        get { members.first { $0.name == name }?.json }
        set {
            let place = members.firstIndex { $0.name == name }
            switch (newValue, place) {
            case (let json?, let place?): members[place].json = json
            case (let json?, nil): members.append((name, json))
            case (nil, let place?): members.remove(at: place)
            case (nil, nil): break
            }
        }
    }

    package var json: String {
        "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
    }

    package func with(_ name: String, _ json: String?) -> TestPayload {
        var copy = self
        copy[name] = json
        return copy
    }

    /// What the tests' app is registered as: both environments.
    package static let registration = AppStoreRegistration(
        bundleID: bundle, appAppleID: appAppleID, environments: [.production, .sandbox])

    /// Any notification about a purchase, in production.
    package static func notification(
        _ type: String = "DID_RENEW", at moment: Int64 = TestChain.moment
    ) -> TestPayload {
        TestPayload([
            ("notificationType", "\"\(type)\""), ("notificationUUID", "\"\(uuid)\""), ("version", "\"2.0\""),
            ("signedDate", "\(moment / 1_000)"), ("data", data.json),
        ])
    }

    /// The member `data` of that.
    package static let data = TestPayload([
        ("appAppleId", appAppleID), ("bundleId", "\"\(bundle)\""), ("bundleVersion", "\"1\""),
        ("environment", "\"Production\""),
    ])

    /// A rescission in production that carries `token`.
    package static func rescission(
        carrying token: String, at moment: Int64 = TestChain.moment, environment: String = "Production"
    ) -> TestPayload {
        TestPayload([
            ("notificationType", "\"RESCIND_CONSENT\""), ("notificationUUID", "\"\(uuid)\""), ("version", "\"2.0\""),
            ("signedDate", "\(moment / 1_000)"),
            ("appData", appData(carrying: token, environment: environment).json),
        ])
    }

    /// The member `appData` of that.
    package static func appData(carrying token: String, environment: String = "Production") -> TestPayload {
        TestPayload([
            ("appAppleId", appAppleID), ("bundleId", "\"\(bundle)\""), ("environment", "\"\(environment)\""),
            ("signedAppTransactionInfo", "\"\(token)\""),
        ])
    }

    /// An app transaction.
    package static func appTransaction(
        id: String = "704289572311402534", at moment: Int64 = TestChain.moment, environment: String = "Production"
    ) -> TestPayload {
        TestPayload([
            ("receiptType", "\"\(environment)\""), ("appAppleId", appAppleID), ("bundleId", "\"\(bundle)\""),
            ("receiptCreationDate", "\(moment / 1_000)"), ("originalApplicationVersion", "\"1.2\""),
            ("originalPlatform", "\"iOS\""), ("appTransactionId", "\"\(id)\""),
        ])
    }
}
