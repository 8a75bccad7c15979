/// Browsers' tokens for tests.
extension TestApp {
    static let personActions = ["question.read", "question.create", "question.cancel", "access.read", "events.read"]
    static let guardianActions = ["question.read", "question.answer", "events.read"]

    /// A client with a token of the app's service; every action that its kind may have, unless said otherwise.
    func token(
        person: String? = nil, guardian: String? = nil, _ actions: [String]? = nil, seconds: Int? = nil
    ) async throws -> HTTPClient {
        let subject = person.map { #""person":"\#($0)""# } ?? #""guardian":"\#(guardian ?? "")""#
        let actions = actions ?? (person == nil ? TestApp.guardianActions : TestApp.personActions)
        let list = actions.map { "\"\($0)\"" }.joined(separator: ",")
        let life = seconds.map { #","expiresInSeconds":\#($0)"# } ?? ""
        let made = try await service.post("/v1/tokens", "{\(subject),\"actions\":[\(list)]\(life)}")
        guard made.status == 201, let text = made.json.token.string else { throw TestFailure(made.text) }
        return HTTPClient(port: service.port, key: text)
    }
}
