import Consent
import JSON
import Testing

@testable import Representation

/// What each request body is read as, and what is said of every wrong field.
struct RequestBodyTests {
    // MARK: Questions

    @Test func askingAboutAChange() throws {
        let request = try AskRequest(
            body: Array(
                #"{"person":"p-1","topic":{"kind":"significantAppUpdate","change":"v"},"expirationDate":"2026-12-05T00:00:00Z","quorum":2}"#
                    .utf8))
        #expect(
            request
                == AskRequest(
                    person: Samples.person, topic: .significantAppUpdate(change: CallerID(trusted: "v")),
                    expiration: Samples.expiration, quorum: 2))
    }

    @Test func askingAboutTheOtherTopics() throws {
        func topic(_ json: String) throws -> Topic {
            try AskRequest(body: Array(#"{"person":"p","description":"d","topic":\#(json)}"#.utf8)).topic
        }
        #expect(
            try topic(#"{"kind":"communication","handles":["a","b"]}"#)
                == .communication(handles: [CallerID(trusted: "a"), CallerID(trusted: "b")]))
        #expect(try topic(#"{"kind":"purchase","product":"gem"}"#) == .purchase(product: CallerID(trusted: "gem")))
        #expect(
            try topic(#"{"kind":"custom","subject":"s"}"#)
                == .custom(subject: CallerID(trusted: "s"), reusable: true))
        #expect(
            try topic(#"{"kind":"custom","subject":"s","reusable":false}"#)
                == .custom(subject: CallerID(trusted: "s"), reusable: false))
    }

    @Test func nullIsAbsent() throws {
        let request = try AskRequest(
            body: Array(
                #"{"person":"p","topic":{"kind":"significantAppUpdate","change":"v"},"expirationDate":null,"quorum":null,"description":null,"language":null}"#
                    .utf8))
        #expect(request.expiration == nil && request.quorum == nil && request.description == nil)
    }

    @Test func everyWrongFieldOfAQuestionIsNamed() {
        expect(
            #"{"person":7,"topic":{"kind":"purchase"},"expirationDate":"2026-02-30T00:00:00Z","quorum":0,"language":"e n","extra":1}"#,
            ["/person", "/topic/product", "/description", "/language", "/expirationDate", "/quorum", "/extra"]
        ) { body throws(BodyRefusal) in try AskRequest(body: body) }
    }

    @Test(arguments: [
        (#"{"kind":"purchase","product":"x","change":"y"}"#, ["/topic/change"]),
        (#"{"kind":"nonsense","product":"x"}"#, ["/topic/kind"]),
        (#"{"product":"x"}"#, ["/topic/kind"]),
        (#"{"kind":"communication","handles":[]}"#, ["/topic/handles"]),
        (#"{"kind":"communication","handles":["a",""]}"#, ["/topic/handles/1"]),
        (#"{"kind":"custom","subject":"s","reusable":1}"#, ["/topic/reusable"]),
        (#"{"kind":"Purchase","product":"x"}"#, ["/topic/kind"]),
        (#""purchase""#, ["/topic"]),
    ])
    func wrongTopics(_ topic: String, _ pointers: [String]) {
        expect(#"{"person":"p","description":"d","topic":\#(topic)}"#, pointers) { body throws(BodyRefusal) in
            try AskRequest(body: body)
        }
    }

    @Test func limitsOfAQuestion() {
        let longest = String(repeating: "é", count: 500)
        let question = #"{"person":"p","topic":{"kind":"purchase","product":"x"},"description":""#
        #expect(throws: Never.self) { try AskRequest(body: Array("\(question)\(longest)\"}".utf8)) }
        expect("\(question)\(longest)x\"}", ["/description"]) { body throws(BodyRefusal) in
            try AskRequest(body: body)
        }
        expect("\(question)\"}", ["/description"]) { body throws(BodyRefusal) in try AskRequest(body: body) }
        let id = String(repeating: "a", count: 129)
        expect(#"{"person":"\#(id)","topic":{"kind":"purchase","product":"x"},"description":"d"}"#, ["/person"]) {
            body throws(BodyRefusal) in try AskRequest(body: body)
        }
        expect(#"{"person":"a\u0085b","topic":{"kind":"purchase","product":"x"},"description":"d"}"#, ["/person"]) {
            body throws(BodyRefusal) in try AskRequest(body: body)
        }
    }

    // MARK: Answers

    @Test func answer() throws {
        let answer = try AnswerRequest(
            body: Array(
                #"{"guardian":"g-1","answer":"denial","reason":"","verification":{"method":"card","reference":"r"}}"#
                    .utf8))
        #expect(
            answer
                == AnswerRequest(
                    guardian: Samples.guardian, kind: .denial, reason: "",
                    verification: Verification(method: "card", reference: "r")))
    }

    @Test func wrongAnswer() {
        let reason = String(repeating: "x", count: 501)
        expect(
            #"{"answer":"approve","reason":"\#(reason)","verification":{"reference":""},"note":null}"#,
            ["/guardian", "/answer", "/reason", "/verification/method", "/verification/reference", "/note"]
        ) { body throws(BodyRefusal) in try AnswerRequest(body: body) }
    }

    @Test func manyAnswers() throws {
        let posted = try PostedAnswers(
            body: Array(
                #"{"guardian":"g-1","answers":[{"question":"01930000-0000-7001-8000-000000000002","answer":"approval","revision":4,"reason":"r"}]}"#
                    .utf8))
        #expect(posted.items.count == 1)
        #expect(posted.items[0].question == Samples.id && posted.items[0].revision == 4)
        #expect(posted.items[0].answer.guardian == Samples.guardian && posted.items[0].answer.reason == "r")
    }

    @Test func wrongManyAnswers() {
        expect(
            #"{"answers":[{"question":"x","answer":"approval","revision":0},{"question":"01930000-0000-7001-8000-000000000002","answer":"no","revision":1},{"question":"01930000-0000-7001-8000-000000000002","answer":"denial","revision":1.0}]}"#,
            [
                "/guardian", "/answers/0/question", "/answers/0/revision", "/answers/1/answer",
                "/answers/2/question", "/answers/2/revision",
            ]
        ) { body throws(BodyRefusal) in try PostedAnswers(body: body) }
        expect(#"{"guardian":"g","answers":[]}"#, ["/answers"]) { body throws(BodyRefusal) in
            try PostedAnswers(body: body)
        }
        let item = #"{"question":"01930000-0000-7001-8000-000000000002","answer":"denial","revision":1}"#
        let many = Array(repeating: item, count: 101).joined(separator: ",")
        expect(#"{"guardian":"g","answers":[\#(many)]}"#, ["/answers"]) { body throws(BodyRefusal) in
            try PostedAnswers(body: body)
        }
    }

    @Test func cancellation() throws {
        #expect(try PostedCancellation(body: Array("{}".utf8)).reason == nil)
        #expect(try PostedCancellation(body: Array(#"{"reason":"systemError"}"#.utf8)).reason == "systemError")
        expect(#"{"reason":5,"by":"child"}"#, ["/reason", "/by"]) { body throws(BodyRefusal) in
            try PostedCancellation(body: body)
        }
    }

    // MARK: Persons, changes, apps, keys

    @Test func person() throws {
        let facts = try PersonFacts(
            body: Array(
                #"{"ageRange":{"lowerBound":13,"upperBound":15,"declaration":"guardianDeclared"},"requiredRegulatoryFeatures":["b","a","b"],"original":{"value":"1.2","kind":"version","environment":"production"},"region":"US-TX"}"#
                    .utf8))
        #expect(facts.ageRange == .range(lower: 13, upper: 15, declaration: "guardianDeclared"))
        #expect(facts.duties == .features(["a", "b"]))
        #expect(facts.original == OriginalVersion(value: "1.2", kind: .version, environment: .production))
        #expect(facts.region == "US-TX")
    }

    @Test func personInWords() throws {
        #expect(try PersonFacts(body: Array("{}".utf8)) == .unknown)
        let facts = try PersonFacts(
            body: Array(#"{"ageRange":"declined","requiredRegulatoryFeatures":"unavailable","region":null}"#.utf8))
        #expect(facts == PersonFacts(ageRange: .declined, duties: .unavailable))
        #expect(
            try PersonFacts(body: Array(#"{"requiredRegulatoryFeatures":"unsupported"}"#.utf8)).duties
                == .unsupported)
        #expect(
            try PersonFacts(body: Array(#"{"ageRange":{"declaration":"laterVendorName"}}"#.utf8)).ageRange
                == .range(lower: nil, upper: nil, declaration: "laterVendorName"))
    }

    @Test func wrongPerson() {
        expect(
            #"{"ageRange":{"lowerBound":19,"upperBound":18,"declaration":""},"requiredRegulatoryFeatures":["",2],"original":{"value":"","kind":"x"},"region":"U S","name":"Ann"}"#,
            [
                "/ageRange/declaration", "/ageRange/lowerBound", "/requiredRegulatoryFeatures/0",
                "/requiredRegulatoryFeatures/1", "/original/value", "/original/kind", "/original/environment",
                "/region", "/name",
            ]
        ) { body throws(BodyRefusal) in try PersonFacts(body: body) }
        expect(
            #"{"ageRange":"private","requiredRegulatoryFeatures":"none"}"#,
            ["/ageRange", "/requiredRegulatoryFeatures"]
        ) {
            body throws(BodyRefusal) in try PersonFacts(body: body)
        }
        expect(#"{"ageRange":{"lowerBound":true,"upperBound":151}}"#, ["/ageRange/lowerBound", "/ageRange/upperBound"])
        {
            body throws(BodyRefusal) in try PersonFacts(body: body)
        }
    }

    @Test func change() throws {
        let settings = try ChangeSettings(
            body: Array(
                #"{"introducedIn":{"version":"2.0","build":"104"},"features":["video","audio","video"],"descriptions":{"en":"E","de":"D"}}"#
                    .utf8))
        #expect(
            settings
                == ChangeSettings(
                    version: "2.0", build: "104", features: ["audio", "video"],
                    descriptions: [
                        LocalizedText(language: "de", text: "D"), LocalizedText(language: "en", text: "E"),
                    ]))
    }

    @Test func changeToCome() throws {
        let body =
            #"{"introducedIn":{"build":"1"},"descriptions":{"en":"E"},"effectiveFrom":"2026-12-01T01:00:00+01:00"}"#
        let settings = try ChangeSettings(body: Array(body.utf8))
        #expect(settings.effectiveFrom == Instant(microseconds: 1_796_083_200_000_000))
        for value in [#""tomorrow""#, "7", #""2026-02-30T00:00:00Z""#] {
            let body = #"{"introducedIn":{"build":"1"},"descriptions":{"en":"E"},"effectiveFrom":\#(value)}"#
            expect(body, ["/effectiveFrom"]) { body throws(BodyRefusal) in try ChangeSettings(body: body) }
        }
    }

    @Test func withdrawal() throws {
        #expect(try PostedWithdrawal(body: Array("{}".utf8)).reason == nil)
        #expect(try PostedWithdrawal(body: Array(#"{"reason":"mistaken"}"#.utf8)).reason == "mistaken")
        expect(#"{"reason":7,"at":"now"}"#, ["/reason", "/at"]) { body throws(BodyRefusal) in
            try PostedWithdrawal(body: body)
        }
    }

    @Test func wrongChange() {
        expect(
            #"{"introducedIn":{},"features":[],"descriptions":{}}"#, ["/introducedIn", "/features", "/descriptions"]
        ) {
            body throws(BodyRefusal) in try ChangeSettings(body: body)
        }
        expect(
            #"{"introducedIn":{"version":2},"descriptions":{"en":"","EN":"x","e_n":"y"}}"#,
            ["/introducedIn/version", "/descriptions/en", "/descriptions/EN", "/descriptions/e_n"]
        ) { body throws(BodyRefusal) in try ChangeSettings(body: body) }
        expect("{}", ["/introducedIn", "/descriptions"]) { body throws(BodyRefusal) in
            try ChangeSettings(body: body)
        }
    }

    @Test func changeOfAnAgeRating() throws {
        let texts = #""descriptions":{"en":"E"}"#
        for introduction in [
            "", #""introducedIn":null,"#, #""introducedIn":{},"#, #""introducedIn":{"version":null},"#,
        ] {
            let settings = try ChangeSettings(body: Array(#"{"kind":"ageRating",\#(introduction)\#(texts)}"#.utf8))
            #expect(settings.kind == .ageRating && settings.version == nil && settings.build == nil)
        }
        expect(
            #"{"kind":"ageRating","introducedIn":{"build":"1"},"descriptions":{"en":"E"}}"#, ["/introducedIn"]
        ) { body throws(BodyRefusal) in try ChangeSettings(body: body) }
        expect(#"{"kind":"rating","descriptions":{"en":"E"}}"#, ["/kind", "/introducedIn"]) {
            body throws(BodyRefusal) in try ChangeSettings(body: body)
        }
    }

    @Test func ageRating() throws {
        let full = try AgeRatingObservation(
            body: Array(
                #"{"ageRatingCode":9,"storefront":"AUS","environment":"sandbox","observedAt":"1970-01-01T00:00:01Z"}"#
                    .utf8))
        let scope = AgeRatingScope(storefront: Storefront(trusted: "AUS"), environment: .sandbox)
        #expect(
            full == AgeRatingObservation(scope: scope, code: 9, observedAt: Instant(microseconds: 1_000_000)))
        for code in ["", #""ageRatingCode":null,"observedAt":null,"#] {
            let bare = try AgeRatingObservation(
                body: Array(#"{\#(code)"storefront":"AUS","environment":"sandbox"}"#.utf8))
            #expect(bare == AgeRatingObservation(scope: scope, code: nil))
        }
        expect(
            #"{"ageRatingCode":"9","storefront":"aus","environment":"beta","observedAt":"now","rating":1}"#,
            ["/ageRatingCode", "/storefront", "/environment", "/observedAt", "/rating"]
        ) { body throws(BodyRefusal) in try AgeRatingObservation(body: body) }
        expect(#"{"ageRatingCode":9007199254740992}"#, ["/ageRatingCode", "/storefront", "/environment"]) {
            body throws(BodyRefusal) in try AgeRatingObservation(body: body)
        }
    }

    @Test func appReturnsToDefaults() throws {
        #expect(try AppSettings(body: Array(#"{"name":"R"}"#.utf8)) == AppSettings(name: "R"))
        let settings = try AppSettings(
            body: Array(
                #"{"name":"R","bundleId":"com.example.reader","appAppleId":"1234567890","environments":["sandbox","production"],"allowedOrigins":["https://b.example","https://a.example","https://b.example"],"policy":{"askAgainSeconds":0,"adultNotConfirmed":"acknowledge"}}"#
                    .utf8))
        #expect(settings.environments == [.production, .sandbox])
        #expect(settings.allowedOrigins == ["https://a.example", "https://b.example"])
        #expect(settings.policy == Policy(askAgainSeconds: 0, adultNotConfirmed: .acknowledge))
        #expect(settings.appAppleID == "1234567890" && settings.bundleID == "com.example.reader")
    }

    @Test func wrongApp() {
        expect(
            #"{"name":"a\nb","bundleId":"x y","appAppleId":12,"environments":["Xcode"],"allowedOrigins":["https://a/","*"],"policy":{"defaultExpirationSeconds":0,"askAgainSeconds":-1,"defaultQuorum":11,"requireGuardianLinks":"no","adultNotConfirmed":"allow","more":1}}"#,
            [
                "/name", "/bundleId", "/appAppleId", "/environments/0", "/allowedOrigins/0", "/allowedOrigins/1",
                "/policy/defaultExpirationSeconds", "/policy/askAgainSeconds", "/policy/defaultQuorum",
                "/policy/requireGuardianLinks", "/policy/adultNotConfirmed", "/policy/more",
            ]
        ) { body throws(BodyRefusal) in try AppSettings(body: body) }
    }

    @Test func everyPolicyMemberIsRead() throws {
        let body = """
            {"name":"R","policy":{"defaultExpirationSeconds":60,"longestExpirationSeconds":3600,"askAgainSeconds":1,\
            "defaultQuorum":2,"requireGuardianLinks":true,"adultNotConfirmed":"acknowledge","ageRangeDeclined":"clear",\
            "ageUnknown":"treatAsMinor","featuresUnavailable":"clear","featuresUnknown":"treatAsMinor",\
            "featuresUnsupported":"block","sandboxExempts":true,"verificationMethods":["idDocument","card","card"],\
            "regions":[{"region":"US-TX","duties":[],"selfConsentAge":18},{"region":"BR","duties":\
            ["significantAppChangeRequiresParentalConsent","declaredAgeRangeRequired"]}],"ageRatingOpensChange":true,\
            "reminderSeconds":0,"rescissionMarginSeconds":3600}}
            """
        let policy = try AppSettings(body: Array(body.utf8)).policy
        #expect(policy == Self.full)
        #expect(try AppSettings(body: Array(#"{"name":"R","policy":{}}"#.utf8)).policy == Policy())
        // What is shown can be put back.
        let shown = Samples.text { $0.policy(policy) }
        #expect(try AppSettings(body: Array(#"{"name":"R","policy":\#(shown)}"#.utf8)).policy == policy)
    }

    private static let full = Policy(
        defaultExpirationSeconds: 60, longestExpirationSeconds: 3_600, askAgainSeconds: 1, defaultQuorum: 2,
        requireGuardianLinks: true, adultNotConfirmed: .acknowledge, ageRangeDeclined: .clear,
        ageUnknown: .treatAsMinor, featuresUnavailable: .clear, featuresUnknown: .treatAsMinor,
        featuresUnsupported: .block, sandboxExempts: true, verificationMethods: ["card", "idDocument"],
        regions: [
            RegionPolicy(
                region: "BR", duties: [.declaredAgeRangeRequired, .significantAppChangeRequiresParentalConsent],
                selfConsentAge: nil),
            RegionPolicy(region: "US-TX", duties: [], selfConsentAge: 18),
        ],
        ageRatingOpensChange: true, reminderSeconds: 0, rescissionMarginSeconds: 3_600)

    @Test func wrongPolicy() {
        expect(
            """
            {"name":"R","policy":{"longestExpirationSeconds":604799,"ageUnknown":"acknowledge","verificationMethods":[""],\
            "regions":[{"region":"BR","duties":["none"],"selfConsentAge":12},{"region":"","duties":[],"x":1}],\
            "reminderSeconds":-1,"rescissionMarginSeconds":3601,"sandboxExempts":1}}
            """,
            [
                "/policy/longestExpirationSeconds", "/policy/ageUnknown", "/policy/verificationMethods/0",
                "/policy/regions/0/duties/0", "/policy/regions/0/selfConsentAge", "/policy/regions/1/region",
                "/policy/regions/1/x", "/policy/reminderSeconds", "/policy/rescissionMarginSeconds",
                "/policy/sandboxExempts",
            ]
        ) { body throws(BodyRefusal) in try AppSettings(body: body) }
        expect(
            #"{"name":"R","policy":{"regions":[{"region":"BR","duties":[]},{"region":"BR","duties":[]}]}}"#,
            ["/policy/regions"]
        ) { body throws(BodyRefusal) in try AppSettings(body: body) }
    }

    @Test func emptyBody() {
        #expect(throws: Never.self) { try EmptyBody.check(Array("{}".utf8)) }
        expect(#"{"a":1}"#, ["/a"]) { body throws(BodyRefusal) in try EmptyBody.check(body) }
        expect("[]", [""]) { body throws(BodyRefusal) in try EmptyBody.check(body) }
    }

    // MARK: What is no JSON

    @Test(arguments: [
        "", "{", #"{"reason":"a",}"#, "\u{feff}{}", #"{"reason":"a","reason":"b"}"#, #"{"reason":"\u0000"}"#,
        #"{"reason":"\ud800"}"#, "{}{}", "{'reason':1}", String(repeating: "[", count: 40),
    ])
    func unreadable(_ body: String) {
        let error = #expect(throws: BodyRefusal.self) { try PostedCancellation(body: Array(body.utf8)) }
        guard case .unreadable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Expects exactly these pointers, each once, in any order.
    private func expect<Value>(
        _ body: String, _ pointers: [String], read: ([UInt8]) throws(BodyRefusal) -> Value,
        _ location: SourceLocation = #_sourceLocation
    ) {
        do throws(BodyRefusal) {
            _ = try read(Array(body.utf8))
            Issue.record("was taken", sourceLocation: location)
        } catch {
            guard case .unacceptable(let fields) = error else {
                Issue.record("\(error)", sourceLocation: location)
                return
            }
            #expect(fields.errors.map(\.pointer).sorted() == pointers.sorted(), sourceLocation: location)
            #expect(fields.errors.allSatisfy { !$0.detail.isEmpty }, sourceLocation: location)
        }
    }
}
