import Consent
import JSON
import Testing

@testable import Representation

struct ResourceBodyTests {
    @Test func answer() {
        let answer = GuardianAnswer(
            guardian: Samples.guardian, kind: .approval, reason: "ok",
            verification: Verification(method: "card", reference: nil), at: Samples.created, revision: 2,
            voidedAt: Samples.expiration)
        #expect(
            Samples.text { $0.answer(answer) } == """
                {"guardian":"g-1","answer":"approval","reason":"ok",\
                "verification":{"method":"card","reference":null},"answeredAt":"2026-11-28T00:00:00.123Z",\
                "revision":2,"voidedAt":"2026-12-05T00:00:00.000Z"}
                """)
    }

    @Test func personWithEverything() {
        let facts = PersonFacts(
            ageRange: .range(lower: 13, upper: 15, declaration: "guardianDeclared"),
            duties: .features(["significantAppChangeRequiresParentalConsent"]),
            original: OriginalVersion(value: "1.2", kind: .version, environment: .production), region: "US-TX")
        #expect(
            text(facts) == """
                {"id":"p-1","personRef":"aaaabbbb-cccc-4ddd-8eee-ffff00001111",\
                "ageRange":{"lowerBound":13,"upperBound":15,"declaration":"guardianDeclared"},\
                "requiredRegulatoryFeatures":["significantAppChangeRequiresParentalConsent"],\
                "original":{"value":"1.2","kind":"version","environment":"production"},"region":"US-TX",\
                "rescindedAt":null,\
                "revision":3,"createdAt":"2026-11-28T00:00:00.123Z","updatedAt":"2026-12-05T00:00:00.000Z"}
                """)
    }

    @Test func personOfWhomNothingIsKnown() {
        #expect(
            text(.unknown).contains(
                #""ageRange":null,"requiredRegulatoryFeatures":null,"original":null,"region":null,"rescindedAt":null"#))
    }

    @Test func personWhoDeclined() {
        #expect(
            text(PersonFacts(ageRange: .declined, duties: .unavailable)).contains(
                #""ageRange":"declined","requiredRegulatoryFeatures":"unavailable""#))
        #expect(text(PersonFacts(duties: .unsupported)).contains(#""requiredRegulatoryFeatures":"unsupported""#))
        #expect(text(PersonFacts(duties: .features([]))).contains(#""requiredRegulatoryFeatures":[]"#))
        #expect(
            text(PersonFacts(ageRange: .range(lower: nil, upper: 12, declaration: nil))).contains(
                #""ageRange":{"lowerBound":null,"upperBound":12,"declaration":null}"#))
    }

    private func text(_ facts: PersonFacts) -> String {
        let person = Person(
            id: Samples.person, ref: Samples.ref, facts: facts, revision: 3, createdAt: Samples.created,
            updatedAt: Samples.expiration, everLinked: false)
        return Samples.text { $0.person(person) }
    }

    @Test func guardianLinkAndUnlink() {
        #expect(
            Samples.text {
                $0.guardianLink(person: Samples.person, guardian: Samples.guardian, createdAt: Samples.created)
            } == #"{"person":"p-1","guardian":"g-1","createdAt":"2026-11-28T00:00:00.123Z"}"#)
        #expect(
            Samples.text { $0.guardianUnlink(person: nil, guardian: Samples.guardian, voided: [Samples.id]) }
                == #"{"person":null,"guardian":"g-1","voidedApprovals":["01930000-0000-7001-8000-000000000002"]}"#)
    }

    @Test func acknowledgment() {
        #expect(
            Samples.text {
                $0.acknowledgment(person: Samples.person, change: CallerID(trusted: "v"), at: Samples.created)
            } == #"{"person":"p-1","change":"v","acknowledgedAt":"2026-11-28T00:00:00.123Z"}"#)
    }

    @Test func change() {
        let change = Change(
            id: CallerID(trusted: "video-calls"),
            settings: ChangeSettings(
                version: "2.0", build: nil, features: ["video"],
                descriptions: [
                    LocalizedText(language: "de", text: "Fügt „Video“ hinzu."),
                    LocalizedText(language: "en", text: "Adds video."),
                ]),
            revision: 1, createdAt: Samples.created, updatedAt: Samples.created)
        #expect(
            Samples.text { $0.change(change) } == """
                {"id":"video-calls","kind":"significantUpdate","introducedIn":{"version":"2.0","build":null},\
                "features":["video"],"descriptions":{"de":"Fügt „Video“ hinzu.","en":"Adds video."},\
                "effectiveFrom":null,"withdrawnAt":null,"withdrawalReason":null,"revision":1,\
                "createdAt":"2026-11-28T00:00:00.123Z","updatedAt":"2026-11-28T00:00:00.123Z"}
                """)
        var withdrawn = change
        withdrawn.settings.effectiveFrom = Samples.created
        withdrawn.withdrawal = Change.Withdrawal(at: Samples.created, reason: "no")
        #expect(
            Samples.text { $0.change(withdrawn) }.contains(
                #"""
                "effectiveFrom":"2026-11-28T00:00:00.123Z","withdrawnAt":"2026-11-28T00:00:00.123Z",\#
                "withdrawalReason":"no"
                """#))
        var whole = change
        whole.settings.features = nil
        #expect(Samples.text { $0.change(whole) }.contains(#""features":null"#))
    }

    @Test func ageRating() {
        let scope = AgeRatingScope(storefront: Storefront(trusted: "AUS"), environment: .production)
        let rating = AgeRating(
            scope: scope, code: 9, revision: 2, observedAt: Samples.created, lastObservedAt: Samples.created,
            recordedAt: Samples.created)
        let step = AgeRatingStep(
            scope: scope, revision: 2, code: 9, previousCode: 4, observedAt: Samples.created,
            recordedAt: Samples.created, change: CallerID(trusted: "age-rating-aus-9-2"))
        let shown =
            #"{"storefront":"AUS","environment":"production","ageRatingCode":9,"revision":2,"#
            + #""observedAt":"2026-11-28T00:00:00.123Z","lastObservedAt":"2026-11-28T00:00:00.123Z","#
            + #""recordedAt":"2026-11-28T00:00:00.123Z"}"#
        #expect(Samples.text { $0.ageRating(rating) } == shown)
        #expect(
            Samples.text { $0.ageRatingStep(step) } == """
                {"storefront":"AUS","environment":"production","revision":2,"ageRatingCode":9,"previousCode":4,\
                "observedAt":"2026-11-28T00:00:00.123Z","recordedAt":"2026-11-28T00:00:00.123Z",\
                "change":"age-rating-aus-9-2"}
                """)
        #expect(
            Samples.text {
                $0.ageRatingResult(.changed, baseline: rating, previousCode: 4, change: step.change)
            } == #"{"outcome":"changed","baseline":\#(shown),"previousCode":4,"change":"age-rating-aus-9-2"}"#)
        #expect(
            Samples.text { $0.ageRatingResult(.sentinel, baseline: nil, previousCode: nil, change: nil) }
                == #"{"outcome":"sentinel","baseline":null,"previousCode":null,"change":null}"#)
    }

    @Test func app() {
        let app = App(
            id: Samples.app,
            settings: AppSettings(
                name: "Reader", bundleID: "com.example.reader", environments: [.production, .sandbox],
                allowedOrigins: ["https://app.example"]),
            revision: 1, createdAt: Samples.created, updatedAt: Samples.created)
        #expect(
            Samples.text { $0.app(app) } == """
                {"id":"reader","name":"Reader","bundleId":"com.example.reader","appAppleId":null,\
                "environments":["production","sandbox"],"allowedOrigins":["https://app.example"],\
                "policy":{"defaultExpirationSeconds":604800,"longestExpirationSeconds":31536000,\
                "askAgainSeconds":86400,"defaultQuorum":1,"requireGuardianLinks":false,"adultNotConfirmed":"block",\
                "ageRangeDeclined":"block","ageUnknown":"block","featuresUnavailable":"block",\
                "featuresUnknown":"block","featuresUnsupported":"clear","sandboxExempts":false,\
                "verificationMethods":[],"regions":[],"ageRatingOpensChange":false,"reminderSeconds":86400,\
                "rescissionMarginSeconds":60},"revision":1,\
                "createdAt":"2026-11-28T00:00:00.123Z","updatedAt":"2026-11-28T00:00:00.123Z"}
                """)
    }

    @Test func keyShowsItsTextOnlyWhenGivenIt() {
        let key = APIKey(
            id: Samples.id, app: Samples.app, role: .service, label: "backend", createdAt: Samples.created,
            revokedAt: nil)
        let shown = """
            {"id":"01930000-0000-7001-8000-000000000002","app":"reader","role":"service","label":"backend",\
            "rateLimit":null,"createdAt":"2026-11-28T00:00:00.123Z","revokedAt":null
            """
        #expect(Samples.text { $0.apiKey(key) } == shown + "}")
        #expect(Samples.text { $0.apiKey(key, secret: "asnt_x") } == shown + #","key":"asnt_x"}"#)
        let limited = APIKey(
            id: Samples.id, app: nil, role: .admin, label: "", rateLimit: RateLimit(requests: 100, seconds: 60),
            createdAt: Samples.created, revokedAt: nil)
        #expect(Samples.text { $0.apiKey(limited) }.contains(#""label":"","rateLimit":{"requests":100,"seconds":60},"#))
    }

    @Test func event() {
        func text(_ evidence: Evidence?) -> String {
            Samples.text {
                $0.event(
                    feed: "f1", seq: 17, type: .questionApproved, at: Samples.created, app: Samples.app,
                    person: Samples.person, personRef: Samples.ref, revision: 2, answer: nil, evidence: evidence
                ) { $0.integer(1) }
            }
        }
        let counted = Evidence.CountedAnswer(guardian: CallerID(trusted: "g"), kind: .approval, revision: 2)
        let evidence = Evidence(
            personRevision: 3, ageGroup: .minor, policyRevision: 4, quorum: 1, answers: [counted])
        #expect(
            text(evidence).contains(
                #""evidence":{"personRevision":3,"ageGroup":"minor","policyRevision":4,"quorum":1,"#
                    + #""answers":[{"guardian":"g","answer":"approval","revision":2}]},"data":1}"#))
        #expect(
            text(nil) == """
                {"id":"f1_17","seq":17,"type":"question.approved","timestamp":"2026-11-28T00:00:00.123Z",\
                "app":"reader","person":"p-1","personRef":"aaaabbbb-cccc-4ddd-8eee-ffff00001111","revision":2,\
                "data":1}
                """)
    }

    @Test func pages() {
        #expect(
            Samples.text { $0.page([1, 2], nextCursor: "c") { $0.integer($1) } } == #"{"data":[1,2],"nextCursor":"c"}"#)
        #expect(
            Samples.text { $0.page([Int](), nextCursor: nil) { $0.integer($1) } } == #"{"data":[],"nextCursor":null}"#)
    }

    @Test func countsNameEveryState() {
        #expect(
            Samples.text { $0.counts([.pending: 3]) }
                == #"{"pending":3,"approved":0,"denied":0,"revoked":0,"expired":0,"cancelled":0}"#)
    }

    @Test func problem() {
        var problem = ProblemDocument(slug: "invalid-body", title: "The body has wrong fields", status: 422)
        #expect(
            Samples.text { $0.problem(problem) }
                == #"{"type":"/problems/invalid-body","title":"The body has wrong fields","status":422}"#)
        problem.detail = "d"
        problem.errors = [FieldError(pointer: "/a", detail: "is required")]
        problem.current = Array(#"{"x":1}"#.utf8)
        problem.parameter = "p"
        problem.header = "h"
        problem.requestID = "r"
        #expect(
            Samples.text { $0.problem(problem) }.hasSuffix(
                #""detail":"d","errors":[{"pointer":"/a","detail":"is required"}],"current":{"x":1},"parameter":"p","header":"h","requestId":"r"}"#
            ))
    }
}
