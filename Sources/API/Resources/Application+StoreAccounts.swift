import AppStore
import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func registerAppTransaction(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let posted: PostedAppTransaction
        do { posted = try PostedAppTransaction(body: call.request.body) } catch { throw Problem(error) }
        switch posted {
        case .plain(let account):
            return try await submit(.register(person: person, AccountRegistration(account: account)), call)
        case .signed(let token):
            let registration = try await registration(token, call)
            return try await submit(.register(person: person, registration), call)
        }
    }

    func registerPlaySignals(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let posted: PostedPlaySignals
        do { posted = try PostedPlaySignals(body: call.request.body) } catch { throw Problem(error) }
        let registration = AccountRegistration(account: posted.account, signals: posted.signals)
        return try await submit(.register(person: person, registration), call)
    }

    func listStoreAccounts(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let accounts = try await read { () async throws(StoreFailure) in
            try await store.storeAccounts(call.app, person: person)
        }
        guard let accounts else { throw Problem(.personNotFound) }
        return .json(200, capacity: 256 * (accounts.count + 1)) { writer in
            writer.page(accounts, nextCursor: nil) { $0.storeAccount($1) }
        }
    }

    /// What a signed app transaction says, once it is known to be the store's and about this app.
    private func registration(_ token: String, _ call: Call) async throws(Problem) -> AccountRegistration {
        guard let appStore else {
            throw Problem(
                .appStoreNotConfigured, "The operator has named no root certificate of the store.", retryAfter: 3_600)
        }
        let app = try await read { () async throws(StoreFailure) in try await store.app(call.app) }
        guard let app else { throw Problem(.appNotFound) }
        let judgement: AppTransactionJudgement
        do throws(VerificationThreads.Overloaded) {
            judgement = try await appStore.judge(appTransaction: token, for: app, at: clock.wall())
        } catch {
            throw Self.busy
        }
        switch judgement {
        case .accepted(let transaction):
            guard let registration = AccountRegistration(transaction) else { throw Problem(.internalError) }
            return registration
        case .refused(let refusal): throw .refused(refusal.detail, refusal.reason.rawValue)
        case .unusable(let objection): throw .refused(objection.detail, objection.reason.rawValue)
        }
    }
}

extension Problem {
    fileprivate static func refused(_ detail: String, _ reason: String) -> Problem {
        var problem = Problem(
            .appTransactionRefused, detail,
            errors: [
                FieldError(
                    pointer: "/signedAppTransactionInfo",
                    detail: "must be an app transaction that the App Store signed, about this app")
            ])
        problem.reason = reason
        return problem
    }
}

extension AccountRegistration {
    /// A verified app transaction; nil for an id that can be none, which the verifier lets nobody have.
    init?(_ transaction: AppTransaction) {
        guard let account = StoreAccount(transaction.appTransactionID, transaction.environment) else { return nil }
        self.init(
            account: account, signedAt: Instant(microseconds: transaction.receiptCreationDate),
            original: transaction.originalApplicationVersion.flatMap { version in
                version.utf8.isEmpty
                    ? nil
                    : OriginalVersion(
                        value: version, kind: transaction.versionKind,
                        environment: OriginalVersion.Environment(transaction.environment))
            }, platform: transaction.originalPlatform)
    }
}

extension AppTransaction {
    /// A Mac's original version is the marketing version; everywhere else it is the build.
    fileprivate var versionKind: OriginalVersion.Kind {
        originalPlatform?.utf8.elementsEqual("macOS".utf8) == true ? .version : .build
    }
}
