import Testing

@testable import HTTPServer

@Suite struct TargetTests {
    private func path(_ text: String) throws -> [String] {
        try Target(parsing: Array(text.utf8)[...], method: .get).path
    }

    private func query(_ text: String) throws -> [QueryItem] {
        try Target(parsing: Array("/?\(text)".utf8)[...], method: .get).query
    }

    private func detail(_ text: String, _ method: HTTPServer.Method = .get) -> String? {
        do {
            _ = try Target(parsing: Array(text.utf8)[...], method: method)
            return nil
        } catch {
            guard case .badTarget(let detail) = error else { return "another fault" }
            return detail
        }
    }

    @Test func splitsBeforeItDecodes() throws {
        #expect(try path("/") == [])
        #expect(try path("/v1/questions") == ["v1", "questions"])
        #expect(try path("/v1/a%2Fb/c") == ["v1", "a/b", "c"])
        #expect(try path("/v1/%2e%2e/x") == ["v1", "..", "x"])
        #expect(try path("/a%3Fb") == ["a?b"])
        #expect(try path("/%C3%A9") == ["\u{E9}"])
    }

    @Test func decodesOnce() throws {
        #expect(try path("/%2541") == ["%41"])
        #expect(try path("/a+b") == ["a+b"])
    }

    @Test func keepsEmptySegments() throws {
        #expect(try path("//") == ["", ""])
        #expect(try path("/v1/") == ["v1", ""])
        #expect(try path("/v1//questions") == ["v1", "", "questions"])
    }

    @Test func keepsTheQueryInOrder() throws {
        #expect(
            try query("state=pending&state=expired&cursor=")
                == [
                    QueryItem(name: "state", value: "pending"), QueryItem(name: "state", value: "expired"),
                    QueryItem(name: "cursor", value: ""),
                ])
        #expect(try query("flag") == [QueryItem(name: "flag", value: "")])
        #expect(try query("a=b=c") == [QueryItem(name: "a", value: "b=c")])
        #expect(try query("a%26b=%3D+%2B") == [QueryItem(name: "a&b", value: "= +")])
        #expect(try query("&&a=1&") == [QueryItem(name: "a", value: "1")])
        #expect(try query("a=/x?y") == [QueryItem(name: "a", value: "/x?y")])
        #expect(try query("") == [])
    }

    @Test(arguments: ["/%", "/%4", "/%zz", "/a%4", "/?a=%", "/?%g0=1", "/%+1", "/% 1"])
    func refusesBadEscapes(_ target: String) { #expect(detail(target) != nil) }

    @Test(arguments: ["/q/good%00evil", "/?a=%00", "/%0a", "/%0D%0AX:1", "/%7f", "/%1F"])
    func refusesEncodedControlBytes(_ target: String) { #expect(detail(target)?.contains("control") == true) }

    @Test(arguments: ["/%ff", "/%C0%80", "/%ED%A0%80", "/?x=%C3", "/%F4%90%80%80"])
    func refusesWhatIsNotUTF8(_ target: String) { #expect(detail(target)?.contains("UTF-8") == true) }

    @Test(arguments: [
        "", "v1", "*", "host:80", "/a b", "/a\tb", "/\u{E9}", "/a#b", "ftp://h/x", "http:///x", "http://u@h/",
    ])
    func refusesOtherForms(_ target: String) { #expect(detail(target) != nil) }

    @Test func takesAbsoluteForm() throws {
        #expect(try path("http://api.example:80/v1/x?y=1") == ["v1", "x"])
        #expect(try path("HTTPS://h") == [])
        #expect(try Target(parsing: Array("http://h?a=1".utf8)[...], method: .get).query.count == 1)
    }

    @Test func takesTheAsteriskForOptionsOnly() throws {
        #expect(try Target(parsing: Array("*".utf8)[...], method: .options).path == ["*"])
        #expect(detail("*", .get) != nil)
    }
}
