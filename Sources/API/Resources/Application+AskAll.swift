import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    /// One question for each open change that needs one.
    func askAll(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        var request: AskAllRequest
        do { request = try AskAllRequest(person: person, body: call.bodyOrEmptyObject) } catch { throw Problem(error) }
        request.preferredLanguages = AcceptLanguage.languages(call.request.headers)
        try refuseQuorum(request.quorum, call)
        request.personRef = call.personRef
        return try await submit(.askAll(request), call)
    }

    /// The replayed reply: each change's first status, with its question as it is now; null where that is gone.
    func replay(
        _ items: [ResourceName.AskedName], status: Int, _ call: Call
    ) async throws(Problem) -> Response {
        var shown: [(change: CallerID, item: ShownItem)] = []
        shown.reserveCapacity(items.count)
        for item in items {
            var record: QuestionRecord?
            if let id = item.question {
                record = try await read { () async throws(StoreFailure) in try await store.question(call.app, id) }
            }
            switch item.result {
            case .asked(let asked): shown.append((item.change, .question(record, asked)))
            case .refused(let code):
                var problem = Problem(ProblemType(refusalCode: code) ?? .deniedRecently)
                problem.current = record?.body
                shown.append((item.change, .problem(problem)))
            }
        }
        return .json(status, capacity: 256 + 1_024 * items.count) { $0.asked(shown) }
    }
}

/// What is shown of one change that was asked about.
private enum ShownItem {
    case question(QuestionRecord?, Outcome.Asked)
    case problem(Problem)
}

extension JSONWriter {
    /// What came of asking about each change.
    mutating func asked(_ items: [AskedItem], app: AppID, person: CallerID) {
        asked(
            items.map { item in
                switch item.result {
                case .asked(let record, let asked): (item.change, .question(record, asked))
                case .refused(let refusal, let moment):
                    (item.change, .problem(Problem(refusal, app: app, person: person, at: moment)))
                }
            })
    }

    fileprivate mutating func asked(_ items: [(change: CallerID, item: ShownItem)]) {
        beginObject()
        key("data")
        beginArray()
        for (change, item) in items {
            beginObject()
            key("change")
            callerID(change)
            switch item {
            case .question(let record, let asked): self.question(record, asked)
            case .problem(let problem): self.problem(problem)
            }
            endObject()
        }
        endArray()
        endObject()
    }

    /// The status that asking about this change alone would have had, and the question.
    private mutating func question(_ record: QuestionRecord?, _ asked: Outcome.Asked) {
        key("status")
        integer(asked.status)
        key("question")
        if let record { question(record) } else { null() }
    }

    /// The same of a refusal. What would be its `Retry-After` has no header to stand in.
    private mutating func problem(_ problem: Problem) {
        key("status")
        integer(problem.type.status)
        key("question")
        null()
        key("problem")
        self.problem(problem.document(requestID: nil))
        if let seconds = problem.retryAfter {
            key("retryAfter")
            integer(seconds)
        }
    }
}
