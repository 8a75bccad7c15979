import Consent
import JSON
import Testing

@testable import Representation

struct QuestionBodyTests {
    private let head = """
        {"id":"01930000-0000-7001-8000-000000000002","app":"reader","person":"p-1",\
        "personRef":"aaaabbbb-cccc-4ddd-8eee-ffff00001111",
        """

    @Test func pendingQuestion() {
        #expect(
            Samples.text(Samples.question())
                == head + """
                    "topic":{"kind":"significantAppUpdate","change":"video-calls"},\
                    "description":"Adds video calling.","language":"en","revision":1,"state":"pending","quorum":1,\
                    "expirationDate":"2026-12-05T00:00:00.000Z","createdAt":"2026-11-28T00:00:00.123Z",\
                    "resolution":null,"supersededBy":null,"allowedActions":["approve","deny","cancel"]}
                    """)
    }

    @Test func existingIsSaidOnlyWhereAskedFor() {
        #expect(Samples.text(Samples.question(), existing: true).hasSuffix(#""cancel"],"existing":true}"#))
        #expect(!Samples.text(Samples.question()).contains("existing"))
    }

    @Test func approvedByAGuardian() {
        var question = Samples.question()
        question.state = .approved
        question.revision = 2
        question.resolution = Resolution(
            by: .guardian(Samples.guardian), at: Samples.created, reason: "fine by \"me\"\n")
        let text = Samples.text(question)
        #expect(text.contains(#""revision":2,"state":"approved""#))
        #expect(
            text.contains(
                #""resolution":{"by":"guardian","guardian":"g-1","at":"2026-11-28T00:00:00.123Z","reason":"fine by \"me\"\n"}"#
            ))
        #expect(text.contains(#""allowedActions":["deny"]"#))
    }

    @Test(arguments: [
        (Resolution.Resolver.child, "child"), (.silence, "silence"), (.rescission, "rescission"),
        (.withdrawal, "withdrawal"), (.admin, "admin"),
    ])
    func otherResolvers(_ resolver: Resolution.Resolver, _ name: String) {
        var question = Samples.question()
        question.state = .cancelled
        question.resolution = Resolution(by: resolver, at: Samples.expiration, reason: nil)
        #expect(
            Samples.text(question).contains(
                "\"resolution\":{\"by\":\"\(name)\",\"at\":\"2026-12-05T00:00:00.000Z\",\"reason\":null}"))
    }

    @Test func topics() {
        let handles = [CallerID(trusted: "h-2"), CallerID(trusted: "h-1")]
        #expect(
            Samples.text(Samples.question(.communication(handles: handles))).contains(
                #""topic":{"kind":"communication","handles":["h-2","h-1"]}"#))
        #expect(
            Samples.text(Samples.question(.purchase(product: CallerID(trusted: "gem")))).contains(
                #""topic":{"kind":"purchase","product":"gem"}"#))
        #expect(
            Samples.text(Samples.question(.custom(subject: CallerID(trusted: "screen-time"), reusable: false)))
                .contains(#""topic":{"kind":"custom","subject":"screen-time","reusable":false}"#))
    }

    @Test func erasedPersonAndSuccessor() {
        var question = Samples.question()
        question.supersededBy = Samples.ref
        let text = Samples.text { $0.question(question, app: Samples.app, person: nil, at: Samples.created) }
        #expect(text.contains(#""person":null,"personRef":"aaaabbbb-cccc-4ddd-8eee-ffff00001111""#))
        #expect(text.contains(#""supersededBy":"aaaabbbb-cccc-4ddd-8eee-ffff00001111""#))
        #expect(text.contains(#""allowedActions":[]"#))
    }

    @Test func languageMayBeUnknown() {
        var question = Samples.question()
        question = Question(
            id: question.id, personRef: question.personRef, topic: question.topic, description: "x", language: nil,
            quorum: 1, expiration: question.expiration, createdAt: question.createdAt)
        #expect(Samples.text(question).contains(#""language":null"#))
    }
}
