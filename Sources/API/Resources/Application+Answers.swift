import Consent
import HTTPServer
import JSON
import Representation
import Store

extension Application {
    func answerQuestion(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.identifier(0, .questionNotFound)
        let answer: AnswerRequest
        do { answer = try AnswerRequest(body: call.request.body) } catch { throw Problem(error) }
        try check(answer, call)
        return try await submit(.answer(question: id, answer), call)
    }

    /// A guardian's token answers for that guardian, and how they were verified is not for their browser to say.
    private func check(_ answer: AnswerRequest, _ call: Call) throws(Problem) {
        try requireSubject(answer.guardian, call, at: "guardian")
        guard call.caller.grant != nil, answer.verification != nil else { return }
        throw Problem(
            .invalidBody,
            errors: [FieldError(pointer: "/verification", detail: "must be given by a key and not with a token")])
    }

    func listAnswers(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let id = try call.identifier(0, .questionNotFound)
        let answers = try await read { () async throws(StoreFailure) in
            try await store.answers(call.app, question: id)
        }
        guard let answers else { throw Problem(.questionNotFound) }
        return .json(200, capacity: 256 * (answers.count + 1)) { writer in
            writer.page(answers, nextCursor: nil) { $0.answer($1) }
        }
    }

    func answerMany(_ call: Call) async throws(Problem) -> Response {
        _ = try call.query()
        let person = try call.callerID(0, .personNotFound)
        let posted: PostedAnswers
        do { posted = try PostedAnswers(body: call.request.body) } catch { throw Problem(error) }
        if let first = posted.items.first { try check(first.answer, call) }
        let items = posted.items.map { AnswerItem(question: $0.question, answer: $0.answer, revision: $0.revision) }
        return try await submit(.answerMany(person: person, items), call)
    }

    /// The replayed reply to many answers: each item's first status, with the question as it is now where it was
    /// refused for that question's sake.
    func replay(
        _ items: [ResourceName.ItemName], status: Int, _ call: Call
    ) async throws(Problem) -> Response {
        var problems: [Problem?] = []
        for item in items {
            guard let code = item.refusal else {
                problems.append(nil)
                continue
            }
            var problem = Problem(ProblemType(refusalCode: code) ?? .revisionChanged)
            if problem.type.status == 409 {
                let id = item.question
                let record = try await read { () async throws(StoreFailure) in
                    try await store.question(call.app, id)
                }
                problem.current = record?.body
            }
            problems.append(problem)
        }
        return .json(status) { writer in
            writer.items(zip(items, problems)) { writer, item in writer.item(item.0.question, item.1) }
        }
    }
}

extension JSONWriter {
    /// How each of many answers fared.
    mutating func answers(_ items: [AnswerItemResult], app: AppID, person: CallerID?) {
        self.items(items) { writer, item in
            switch item.result {
            case .accepted: writer.item(item.question, nil)
            case .refused(let refusal, let moment):
                writer.item(item.question, Problem(refusal, app: app, person: person, at: moment))
            }
        }
    }

    fileprivate mutating func items<Items: Sequence>(
        _ items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
    ) {
        beginObject()
        key("data")
        beginArray()
        for item in items { write(&self, item) }
        endArray()
        endObject()
    }

    /// 200, or the status of the problem and the problem.
    fileprivate mutating func item(_ question: Identifier, _ problem: Problem?) {
        beginObject()
        key("question")
        identifier(question)
        key("status")
        integer(problem?.type.status ?? 200)
        if let problem {
            key("problem")
            self.problem(problem.document(requestID: nil))
        }
        endObject()
    }
}

extension QuestionRecord {
    /// As it stands in a problem.
    var body: [UInt8] {
        var writer = JSONWriter()
        writer.question(self)
        return writer.finish()
    }
}
