package import Consent
import JSON

/// The body of `POST /v1/persons/{person}/app-transactions`.
package enum PostedAppTransaction: Sendable, Equatable {
    /// `signedAppTransactionInfo`, not yet verified.
    case signed(String)
    /// What a service verified itself.
    case plain(StoreAccount)

    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            guard body.isMissing("signedAppTransactionInfo") else {
                for name: StaticString in ["appTransactionId", "environment"] where !body.isMissing(name) {
                    body.refuse(name, "must be absent beside signedAppTransactionInfo")
                }
                let token = body.string("signedAppTransactionInfo", bytes: 1...32_768)
                return token.map(PostedAppTransaction.signed)
            }
            if body.isMissing("appTransactionId") {
                body.ignore("environment")
                body.refuse("must have signedAppTransactionInfo, or appTransactionId and environment")
                return nil
            }
            let id = body.accountID("appTransactionId")
            let environment = body.enumeration("environment", of: OriginalVersion.Environment.self)
            guard let id, let environment else { return nil }
            return .plain(StoreAccount(store: .appStore, environment: environment, id: id))
        }
    }
}

extension ObjectReader {
    /// A store's id of an account; text, never a number.
    func accountID(_ name: StaticString) -> CallerID? {
        string(name, mustBe: "must be a string of 1 to 128 bytes without control characters") { CallerID($0) }
    }
}
