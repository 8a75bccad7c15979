import JSON

/// An app transaction's payload as far as it can be read, before anybody asked whom it is about.
struct AppTransactionDraft: Sendable {
    /// What the member with the signed form is called, in notifications and in requests.
    static let member = "signedAppTransactionInfo"

    private struct Fields {
        let kind: PayloadKind
        let created: Member<Int64>
        let signed: Member<Int64>
        let id: Member<String>
        let identity: IdentityFields
        let version: Member<String>
        let platform: Member<String>
        let restriction: Restriction?
    }

    private let fields: Fields
    private let payload: [UInt8]
    /// When the store made it, in microseconds since the Unix epoch.
    let created: Int64
    /// The moments at which it may have been signed; more than one where it also says when it was signed.
    let signingDates: [Int64]

    /// Refuses what is not an app transaction with a date, or comes from where nobody signs.
    init(_ payload: [UInt8]) throws(TokenRefusal) {
        let fields = try Payload.read(payload) { Self.fields(of: $0) }
        try PayloadKind.appTransaction.require(fields.kind)
        created = try Payload.date(fields.created, "receiptCreationDate")
        if case .absent = fields.signed {
            signingDates = [created]
        } else {
            signingDates = [created, try Payload.date(fields.signed, "signedDate")]
        }
        self.fields = fields
        self.payload = payload
    }

    func refuseUnsigned() throws(TokenRefusal) {
        try fields.identity.refuseUnsigned()
    }

    /// The app transaction, if it is about one of the registrations and complete.
    ///
    /// - Parameter now: in microseconds since the Unix epoch.
    func accept(_ registrations: [AppStoreRegistration], now: Int64) throws(Objection) -> AppTransaction {
        if let restriction = fields.restriction { throw restriction.objection }
        let match = try fields.identity.match(registrations)
        let id = try IdentityFields.required(fields.id, "/appTransactionId")
        for (member, field) in [
            (fields.version, "/originalApplicationVersion"), (fields.platform, "/originalPlatform"),
        ] {
            if case .wrong = member { _ = try IdentityFields.required(member, field) }
        }
        guard created <= now &+ AppStoreVerifier.tolerance else {
            throw Objection(
                .dateAhead, "It was made more than five minutes from now.", field: "/receiptCreationDate",
                seen: RFC3339.write(created))
        }
        return AppTransaction(
            appTransactionID: id, environment: match.environment, bundleID: match.bundleID,
            appAppleID: fields.identity.appAppleIDText, receiptCreationDate: created,
            originalApplicationVersion: fields.version.value, originalPlatform: fields.platform.value,
            payload: payload)
    }

    private static func fields(of payload: ObjectReader) -> Fields {
        Fields(
            kind: PayloadKind(of: payload), created: payload.moment("receiptCreationDate"),
            signed: payload.moment("signedDate"), id: payload.identifier("appTransactionId"),
            identity: identity(of: payload),
            version: payload.text("originalApplicationVersion", longest: 64),
            platform: payload.text("originalPlatform", longest: 64), restriction: Restriction.first(in: payload))
    }

    static func identity(of payload: ObjectReader) -> IdentityFields {
        IdentityFields(
            bundleID: payload.text("bundleId"), environment: payload.text("receiptType"),
            appAppleID: payload.number("appAppleId"), environmentField: "/receiptType", path: "")
    }
}
