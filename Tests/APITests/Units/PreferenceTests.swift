import Consent
import HTTPServer
import Testing

@testable import API

/// `Prefer`, `Accept` and the choice of event types, as they are read.
struct PreferenceTests {
    @Test(arguments: [
        ("wait=20", 20), ("respond-async, WAIT = 5", 5), ("wait=\"7\"", 7), ("wait=61", 60), ("wait=0", 0),
        ("wait=99999999999999999999", 60), ("wait=3;x=1", 3), ("wait=1, wait=2", 1), ("wait=-1, wait=2", 2),
    ])
    func waits(_ field: String, _ seconds: Int) {
        #expect(Preference.wait(Headers([HeaderField("Prefer", field)])) == seconds)
    }

    @Test(arguments: ["", "wait", "wait=", "wait=x", "wait=-1", "wait=1.5", "waiting=3", "wait;=3", "wait=\"", ",,"])
    func noWaits(_ field: String) {
        #expect(Preference.wait(Headers([HeaderField("Prefer", field)])) == nil)
    }

    @Test func repeatedHeadersAreOneList() {
        let fields = [HeaderField("Prefer", "respond-async"), HeaderField("prefer", "wait=4")]
        #expect(Preference.wait(Headers(fields)) == 4)
        #expect(Preference.wait(Headers()) == nil)
    }

    /// A HEAD waits as its GET would, so it is given as long.
    @Test func waitsAreGivenTheirTime() throws {
        let application = try FakeService().application
        for (method, seconds) in [(HTTPServer.Method.get, 60), (.head, 60), (.post, 0), (.put, 0)] {
            let head = RequestHead(
                method: method, target: "/v1/events", headers: Headers([HeaderField("Prefer", "wait=60")]))
            #expect(application.extraTime(of: head) == .seconds(seconds), "\(method)")
        }
    }

    @Test(arguments: [
        ("text/event-stream", true), ("TEXT/Event-Stream;q=0.5, */*", true), ("*/*", false), ("", false),
        ("application/json, text/event-stream", false), ("text/event-streams", false),
    ])
    func streams(_ field: String, _ wanted: Bool) {
        #expect(MediaType.wantsEventStream(Headers([HeaderField("Accept", field)])) == wanted)
    }

    @Test func types() throws {
        #expect(try EventTypes.read("question.approved,person.erased") == [.questionApproved, .personErased])
        #expect(try EventTypes.read("key.*,key.created") == [.keyCreated, .keyRevoked])
        for text in ["", ",", "question", "question.", ".*", "*", "question.approved,", "Question.approved", "q.*"] {
            #expect(throws: Problem.self, "\(text)") { _ = try EventTypes.read(text) }
        }
    }
}
