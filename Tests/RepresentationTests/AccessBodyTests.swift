import Consent
import JSON
import Representation
import Testing

/// Decisions about access as JSON, and the body that asks for many.
@Suite struct AccessBodyTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    private static let question = Identifier(high: 0x0193_0000_0000_7001, low: 0x8000_0000_0000_0002)

    private static let waiting = AccessDecision(
        phase: .awaitingGuardian, reason: nil, blocked: .features(["chat", "video"]),
        changes: [
            ChangeAccess(change: CallerID(trusted: "chat"), status: .pending, question: question),
            ChangeAccess(change: CallerID(trusted: "old"), status: .exempt),
        ], validUntil: Instant(microseconds: 1_790_000_000_123_456))

    @Test func everyMemberAlwaysStandsThere() {
        #expect(
            text { $0.access(Self.waiting) }
                == #"{"phase":"awaitingGuardian","reason":null,"blocked":{"app":false,"features":["chat","video"]},"#
                + #""changes":[{"change":"chat","status":"pending","question":"01930000-0000-7001-8000-000000000002"},"#
                + #"{"change":"old","status":"exempt","question":null}],"validUntil":"2026-09-21T14:13:20.123Z"}"#)
    }

    @Test func aPersonWhereManyAreToldOf() {
        #expect(
            text { $0.access(.unknownPerson, person: CallerID(trusted: "p-1")) }
                == #"{"person":"p-1","phase":"blocked","reason":"ageUnknown","blocked":{"app":true,"features":[]},"#
                + #""changes":[],"validUntil":null}"#)
    }

    @Test func aRemedyWhereAPlatformWasNamed() {
        #expect(text { $0.access(Self.waiting, on: .iOS) }.hasSuffix(#","remedy":null}"#))
        let ask = AccessDecision(
            phase: .askGuardian, reason: nil, blocked: .app, changes: [], validUntil: nil)
        #expect(text { $0.access(ask, on: .tvOS) }.hasSuffix(#","remedy":"anotherDevice"}"#))
        #expect(!text { $0.access(ask) }.contains("remedy"))
    }

    @Test func thePersonsAskedAboutInTheirOrder() throws {
        let posted = try PostedPersons(body: Array(#"{"persons":["b","a","b","é","e\u0301"]}"#.utf8))
        #expect(posted.persons.map { Array($0.text.utf8) } == ["b", "a", "b", "é", "e\u{301}"].map { Array($0.utf8) })
    }

    @Test(
        "one to five hundred ids, and nothing else",
        arguments: [
            ("{}", "/persons"), (#"{"persons":[]}"#, "/persons"), (#"{"persons":"p"}"#, "/persons"),
            (#"{"persons":["p",1]}"#, "/persons/1"), (#"{"persons":[""]}"#, "/persons/0"),
            (#"{"persons":["p"],"platform":"iOS"}"#, "/platform"),
        ])
    func refused(body: String, pointer: String) {
        #expect {
            try PostedPersons(body: Array(body.utf8))
        } throws: { error in
            guard case BodyRefusal.unacceptable(let fields) = error else { return false }
            return fields.errors.map(\.pointer) == [pointer]
        }
    }

    @Test func fiveHundredAndNotOneMore() throws {
        func body(_ count: Int) -> [UInt8] {
            let id = #""\#(String(repeating: "x", count: 128))""#
            return Array("{\"persons\":[\(Array(repeating: id, count: count).joined(separator: ", "))]}".utf8)
        }
        #expect(try PostedPersons(body: body(500)).persons.count == 500)
        #expect(body(500).count < PostedPersons.largestBody)
        #expect(throws: BodyRefusal.self) { try PostedPersons(body: body(501)) }
    }
}
