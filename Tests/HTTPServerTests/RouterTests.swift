import Testing

@testable import HTTPServer

@Suite struct RouterTests {
    private let router = Router<Int>([
        .init(.get, "/v1/questions", 1), .init(.post, "/v1/questions", 2), .init(.get, "/v1/questions/counts", 3),
        .init(.get, "/v1/questions/{id}", 4), .init(.post, "/v1/questions/{id}/answers", 5),
        .init(.put, "/v1/persons/{person}/guardians/{guardian}", 6), .init(.get, "/", 7),
        .init(.head, "/probe", 8), .init(.get, "/probe", 9), .init(.other("PURGE"), "/probe", 10),
    ])

    private func show(_ method: HTTPServer.Method, _ path: [String]) -> String {
        switch router.match(method, path) {
        case .found(let route, let template, let parameters):
            "\(route) \(template) \(parameters.joined(separator: ","))"
        case .methodNotAllowed(let allow): "405 " + allow.map(\.text).joined(separator: ",")
        case .notFound: "404"
        }
    }

    @Test func literalsWinOverParameters() {
        #expect(show(.get, ["v1", "questions", "counts"]) == "3 /v1/questions/counts ")
        #expect(show(.get, ["v1", "questions", "count"]) == "4 /v1/questions/{id} count")
    }

    @Test func aLiteralThatLeadsNowhereGivesWayToTheParameter() {
        #expect(show(.post, ["v1", "questions", "counts", "answers"]) == "5 /v1/questions/{id}/answers counts")
    }

    @Test func aLiteralWithoutTheMethodGivesWayToTheParameterThatHasIt() {
        let router = Router<Int>([
            .init(.post, "/changes/preview", 1), .init(.get, "/changes/{id}", 2), .init(.put, "/changes/{id}", 3),
        ])
        let matches = [HTTPServer.Method.post, .get, .head, .put, .delete].map {
            switch router.match($0, ["changes", "preview"]) {
            case .found(let route, template: _, let parameters): "\(route) \(parameters.joined())"
            case .methodNotAllowed(let allow): "405 " + allow.map(\.text).joined(separator: ",")
            case .notFound: "404"
            }
        }
        #expect(matches == ["1 ", "2 preview", "2 preview", "3 preview", "405 POST,OPTIONS"])
    }

    @Test func collectsParametersInOrder() {
        #expect(
            show(.put, ["v1", "persons", "p/1", "guardians", "g"])
                == "6 /v1/persons/{person}/guardians/{guardian} p/1,g")
    }

    @Test func headRidesOnGetUnlessItHasARouteOfItsOwn() {
        #expect(show(.head, ["v1", "questions"]) == "1 /v1/questions ")
        #expect(show(.head, ["probe"]) == "8 /probe ")
    }

    @Test func namesWhatIsAllowed() {
        #expect(show(.delete, ["v1", "questions"]) == "405 GET,HEAD,POST,OPTIONS")
        #expect(show(.options, ["v1", "questions", "1", "answers"]) == "405 POST,OPTIONS")
        #expect(show(.put, ["probe"]) == "405 HEAD,GET,PURGE,OPTIONS")
        #expect(show(.other("PURGE"), ["probe"]) == "10 /probe ")
    }

    @Test func emptySegmentsMatchNothing() {
        #expect(show(.get, ["v1", "questions", ""]) == "404")
        #expect(show(.get, ["v1", "", "questions"]) == "404")
        #expect(show(.get, ["", ""]) == "404")
        #expect(show(.get, []) == "7 / ")
        #expect(show(.get, ["v1"]) == "404")
        #expect(show(.get, ["v1", "questions", "1", "answers", "2"]) == "404")
    }

    @Test func comparesBytes() {
        let router = Router<Int>([.init(.get, "/K", 1)])
        // The Kelvin sign is canonically equal to the letter K, and another id.
        guard case .notFound = router.match(.get, ["\u{212A}"]) else {
            Issue.record("canonical equality chose the route")
            return
        }
    }
}
