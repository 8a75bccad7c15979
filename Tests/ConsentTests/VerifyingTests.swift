import Consent
import Testing

/// What an app's policy demands of an approval.
@Suite struct VerifyingTests {
    private let question = Samples.question()
    private let later = Samples.second(60)

    private func answer(
        _ question: Question, _ kind: AnswerKind, _ method: String?, _ methods: [String]
    ) -> Verdict {
        let request = AnswerRequest(
            guardian: Samples.g1, kind: kind, verification: method.map { Verification(method: $0, reference: nil) })
        return question.applying(.answer(request, mayAnswer: true, methods: methods), at: later)
    }

    @Test("an approval needs one of the methods, where there are any; a denial none")
    func product() {
        for methods in [[], ["card"], ["card", "caf\u{e9}"]] {
            for method in [nil, "card", "caf\u{e9}", "cafe\u{301}", "CARD", ""] {
                let accepted =
                    methods.isEmpty || method == "card"
                    || (method == "caf\u{e9}" && methods.count == 2
                        && method?.utf8.count == 5)
                let approval = answer(question, .approval, method, methods)
                if accepted {
                    #expect(approval.question?.state == .approved, "\(String(describing: method)) \(methods)")
                    #expect(approval.answer?.verification?.method == method)
                } else {
                    #expect(approval == .refused(.verificationRequired(methods: methods)))
                }
                #expect(answer(question, .denial, method, methods).question?.state == .denied)
            }
        }
    }

    @Test("what was approved stays, and saying so again changes nothing")
    func again() throws {
        let approved = try #require(answer(question, .approval, nil, []).question)
        #expect(answer(approved, .approval, nil, ["card"]) == .unchanged)
        let revoked = try #require(answer(approved, .denial, nil, ["card"]).question)
        #expect(revoked.state == .revoked)
        #expect(answer(revoked, .approval, nil, ["card"]) == .refused(.verificationRequired(methods: ["card"])))
        #expect(answer(revoked, .approval, "card", ["card"]).question?.state == .approved)
    }

    @Test("who may not answer, and what takes no answer, are told first")
    func order() throws {
        let request = AnswerRequest(guardian: Samples.g1, kind: .approval)
        #expect(
            question.applying(.answer(request, mayAnswer: false, methods: ["card"]), at: later)
                == .refused(.guardianNotLinked))
        let cancelled = try #require(question.applying(.cancel(by: .child, reason: nil), at: later).question)
        #expect(answer(cancelled, .approval, nil, ["card"]) == .refused(.questionCancelled(cancelled)))
        let end = AnswerRequest(guardian: Samples.g1, kind: .approval)
        guard
            case .refused(.questionExpired) = question.applying(
                .answer(end, mayAnswer: true, methods: ["card"]), at: Samples.week)
        else {
            Issue.record("not told that it has expired")
            return
        }
    }
}
