import Crypto
import JSON

/// A notification's payload as far as it can be read, before anybody asked whom it is about.
struct NotificationDraft: Sendable {
    private struct Fields {
        let kind: PayloadKind
        let signedDate: Member<Int64>
        let uuid: Member<String>
        let type: Member<String>
        let subtype: Member<String>
        let version: Member<String>
        let restriction: Restriction?
        /// Every subject that is there; nil where it is no object.
        let subjects: [(name: NotificationRecord.Subject, fields: SubjectFields?)]
    }

    struct SubjectFields {
        let identity: IdentityFields
        let appTransaction: Member<String>
    }

    private let fields: Fields
    let record: NotificationRecord

    /// Refuses what is not a notification with a date, and nothing else.
    init(_ payload: [UInt8]) throws(TokenRefusal) {
        let fields = try Payload.read(payload) { Self.fields(of: $0) }
        try PayloadKind.notification.require(fields.kind)
        let signedDate = try Payload.date(fields.signedDate, "signedDate")
        guard let hash = try? SHA256.hash(payload).bytes else {
            throw TokenRefusal(.signatureInvalid, "The payload could not be hashed.")
        }
        self.fields = fields
        let subject = fields.subjects.count == 1 ? fields.subjects.first : nil
        let identity = subject?.fields?.identity
        record = NotificationRecord(
            identity: fields.uuid.value ?? "sha256-" + Hexadecimal.encode(hash), notificationUUID: fields.uuid.value,
            type: fields.type.value, subtype: fields.subtype.value, version: fields.version.value,
            signedDate: signedDate, subject: subject?.name, environment: identity?.environment.value,
            bundleID: identity?.bundleID.value, appAppleID: identity?.appAppleIDText, payload: payload,
            payloadHash: hash)
    }

    /// Refuses a notification from an environment that is not signed, whichever of its subjects says so.
    func refuseUnsigned() throws(TokenRefusal) {
        for subject in fields.subjects { try subject.fields?.identity.refuseUnsigned() }
    }

    /// What is needed of any notification before it is asked whom it is about: the type and exactly one subject.
    func essentials() throws(Objection) -> (type: String, identity: IdentityFields) {
        if let restriction = fields.restriction { throw restriction.objection }
        let type = try IdentityFields.required(fields.type, "/notificationType")
        for (member, field) in [
            (fields.uuid, "/notificationUUID"), (fields.subtype, "/subtype"), (fields.version, "/version"),
        ] {
            if case .wrong = member { _ = try IdentityFields.required(member, field) }
        }
        guard let subject = fields.subjects.first else {
            throw Objection(.subjectMissing, "It has none of data, appData, summary and externalPurchaseToken.")
        }
        guard fields.subjects.count == 1 else {
            throw Objection(
                .subjectAmbiguous, "It is about more than one thing.",
                seen: fields.subjects.map(\.name.rawValue).joined(separator: ", "))
        }
        guard let identity = subject.fields?.identity else {
            throw Objection(.fieldInvalid, "The subject is not an object.", field: "/\(subject.name.rawValue)")
        }
        return (type, identity)
    }

    /// The signed app transaction that a rescission must carry.
    func innerToken() throws(Objection) -> String {
        guard let subject = fields.subjects.first(where: { $0.name == .appData }) else {
            throw Objection(
                .fieldMissing, "A rescission needs appData, with the app transaction it is about.", field: "/appData")
        }
        return try IdentityFields.required(
            subject.fields?.appTransaction ?? .wrong, "/appData/\(AppTransactionDraft.member)")
    }

    private static func fields(of payload: ObjectReader) -> Fields {
        Fields(
            kind: PayloadKind(of: payload), signedDate: payload.moment("signedDate"),
            uuid: payload.identifier("notificationUUID"), type: payload.text("notificationType"),
            subtype: payload.text("subtype"), version: payload.text("version"),
            restriction: Restriction.first(in: payload), subjects: subjects(of: payload))
    }

    /// Every subject that is there; nil for one that is no object.
    static func subjects(
        of payload: ObjectReader
    ) -> [(name: NotificationRecord.Subject, fields: SubjectFields?)] {
        let names: KeyValuePairs<NotificationRecord.Subject, StaticString> = [
            .data: "data", .appData: "appData", .summary: "summary", .externalPurchaseToken: "externalPurchaseToken",
        ]
        return names.compactMap { subject, name in
            switch payload.kind(name) {
            case nil, .null: nil
            case .object: (subject, payload.object(name) { fields(of: $0, as: subject) })
            default: (subject, nil)
            }
        }
    }

    private static func fields(of object: ObjectReader, as subject: NotificationRecord.Subject) -> SubjectFields {
        object.ignoreOthers()
        let path = "/\(subject.rawValue)"
        let isPurchase = subject == .externalPurchaseToken
        return SubjectFields(
            identity: IdentityFields(
                bundleID: object.text("bundleId"),
                environment: isPurchase ? purchaseEnvironment(object) : object.text("environment"),
                appAppleID: object.number("appAppleId"),
                environmentField: path + (isPurchase ? "/externalPurchaseId" : "/environment"), path: path),
            appTransaction: object.text("signedAppTransactionInfo", longest: Token.longest))
    }

    /// An external purchase tells its environment by the beginning of its id.
    private static func purchaseEnvironment(_ object: ObjectReader) -> Member<String> {
        switch object.text("externalPurchaseId") {
        case .value(let id):
            let isSandbox = id.utf8.starts(with: "SANDBOX".utf8)
            return .value((isSandbox ? AppStoreEnvironment.sandbox : .production).rawValue)
        case let member: return member
        }
    }
}
