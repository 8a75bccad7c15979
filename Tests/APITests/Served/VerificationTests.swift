import Testing

/// What an app demands of approvals, over HTTP.
struct VerificationTests {
    @Test func anApprovalNeedsAnAcceptedMethod() async throws {
        let app = try await TestService.get().newApp(#"{"name":"T","policy":{"verificationMethods":["pin","card"]}}"#)
        let client = app.service
        func ask(_ product: String) async throws -> String {
            let asked = try await client.post(
                "/v1/questions",
                #"{"person":"p","topic":{"kind":"purchase","product":"\#(product)"},"description":"d"}"#)
            return try #require(asked.json.id.string)
        }
        let id = try await ask("a")
        let path = "/v1/questions/\(id)/answers"
        for verification in ["", #","verification":null"#, #","verification":{"method":"sms"}"#] {
            let refused = try await client.post(path, #"{"guardian":"g","answer":"approval"\#(verification)}"#)
            #expect(refused.status == 422 && refused.slug == "verification-required", "\(refused.text)")
            #expect(refused.pointers == ["/verification"] && refused.text.contains("card, pin"))
        }
        #expect(try await client.get("/v1/questions/\(id)").json.revision == 1)
        let approved = try await client.post(
            path, #"{"guardian":"g","answer":"approval","verification":{"method":"card","reference":"r-7"}}"#)
        #expect(approved.status == 200 && approved.json.state == "approved", "\(approved.text)")
        let answers = try await client.get(path)
        #expect(answers.json.data[0].verification.method == "card")
        let denied = try await client.post(path, #"{"guardian":"g","answer":"denial"}"#)
        #expect(denied.json.state == "revoked", "\(denied.text)")

        // Many at once: one verification for all of them, and denials go through without.
        let (first, second) = (try await ask("b"), try await ask("c"))
        let body =
            #"{"guardian":"g","answers":[{"question":"\#(first)","answer":"approval","revision":1},{"question":"\#(second)","answer":"denial","revision":1}]}"#
        let many = try await client.post("/v1/persons/p/answers", body)
        #expect(many.json.data.array.map(\.status) == [422, 200], "\(many.text)")
        #expect(many.json.data[0].problem.type == "/problems/verification-required")
    }
}
