import JSON

/// The members by which a payload says which app it is about and in which environment.
struct IdentityFields: Sendable {
    let bundleID: Member<String>
    /// Of the store's own names, known or not.
    let environment: Member<String>
    let appAppleID: Member<Int>
    /// Where the environment stands, such as `/appData/environment`.
    let environmentField: String
    /// Of the object that holds the other two, such as `/appData`; empty for the payload itself.
    let path: String

    /// The App Store id as it is kept: digits.
    var appAppleIDText: String? { appAppleID.value.map { String($0) } }

    /// Refuses the environments in which nobody the operator trusts signs.
    func refuseUnsigned() throws(TokenRefusal) {
        guard let environment = environment.value else { return }
        for unsigned in ["Xcode", "LocalTesting"] where environment.utf8.elementsEqual(unsigned.utf8) {
            throw TokenRefusal(
                .environmentUnsigned, "The payload is from the environment \(unsigned), which the store does not sign.")
        }
    }

    /// What is known to be true of a payload that is about a registered app.
    struct Match: Sendable {
        let bundleID: String
        let environment: AppStoreEnvironment
    }

    /// Finds a registration that fits, or says which member does not.
    ///
    /// The bundle first, then the environment, then the App Store id, which only production has to send.
    func match(_ registrations: [AppStoreRegistration]) throws(Objection) -> Match {
        let bundleField = "\(path)/bundleId"
        let bundle = try Self.required(bundleID, bundleField)
        let ofBundle = registrations.filter { $0.bundleID.utf8.elementsEqual(bundle.utf8) }
        guard !ofBundle.isEmpty else {
            throw Objection(
                .bundleMismatch, "It is about another bundle.", field: bundleField,
                expected: Self.list(registrations.map(\.bundleID)), seen: bundle)
        }
        let name = try Self.required(environment, environmentField)
        let environment = AppStoreEnvironment.allCases.first { $0.rawValue.utf8.elementsEqual(name.utf8) }
        let ofEnvironment = ofBundle.filter { registration in
            environment.map { registration.environments.contains($0) } ?? false
        }
        guard let environment, !ofEnvironment.isEmpty else {
            let expected = AppStoreEnvironment.allCases.filter { known in
                ofBundle.contains { $0.environments.contains(known) }
            }
            throw Objection(
                .environmentMismatch, "It is from an environment that the app is not registered for.",
                field: environmentField, expected: Self.list(expected.map(\.rawValue)), seen: name)
        }
        try matchAppAppleID(ofEnvironment, environment)
        return Match(bundleID: bundle, environment: environment)
    }

    private func matchAppAppleID(
        _ registrations: [AppStoreRegistration], _ environment: AppStoreEnvironment
    ) throws(Objection) {
        let field = "\(path)/appAppleId"
        if case .wrong = appAppleID {
            throw Objection(.fieldInvalid, "The App Store id is not an integer.", field: field)
        }
        guard environment == .production else { return }
        let known = registrations.compactMap(\.appAppleID)
        guard !known.isEmpty else {
            throw Objection(
                .appNotRegistered, "Production needs the app's App Store id, and none is registered.", field: field,
                seen: appAppleIDText)
        }
        let seen = String(try Self.required(appAppleID, field, expected: Self.list(known)))
        guard known.contains(where: { $0.utf8.elementsEqual(seen.utf8) }) else {
            throw Objection(
                .appMismatch, "It is about another App Store id.", field: field, expected: Self.list(known), seen: seen)
        }
    }

    /// The member's value, or an objection that it is missing or of no use.
    static func required<Value>(
        _ member: Member<Value>, _ field: String, expected: String? = nil
    ) throws(Objection) -> Value {
        switch member {
        case .value(let value): return value
        case .absent:
            throw Objection(.fieldMissing, "A member that is needed is missing.", field: field, expected: expected)
        case .wrong:
            throw Objection(
                .fieldInvalid, "A member has the wrong type or cannot be kept.", field: field, expected: expected)
        }
    }

    private static func list(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
}
