import JSON
import Testing

/// Reading members: what each kind takes, what it says when it does not, and that all of it comes at once.
struct FieldReadingTests {
    private enum Answer: String, CaseIterable { case approval, denial, kelvin = "K" }

    private func read<Value>(_ text: String, _ read: (ObjectReader) -> Value?) throws -> Value {
        try JSONDocument.parse(Array(text.utf8)).readObject(read)
    }

    private func errors(_ text: String, _ reader: (ObjectReader) -> Any?) -> [String] {
        do {
            _ = try read(text, reader)
            return []
        } catch let error as InvalidFields {
            return error.errors.map { "\($0.pointer): \($0.detail)" }
        } catch {
            return ["\(error)"]
        }
    }

    private struct Order: Equatable {
        var person: String
        var kind: Int
        var handles: [String]
        var expiration: Int64?
        var quorum: Int?
        var reusable: Bool?
        var answer: Answer?
    }

    private func order(_ body: ObjectReader) -> Order? {
        let person = body.string("person", bytes: 1...8)
        let topic = body.object("topic") { topic -> (Int, [String])? in
            let kind = topic.enumeration("kind", of: ["communication": 1, "purchase": 2])
            let handles = topic.strings("handles", count: 1...3, bytes: 1...4)
            guard let kind, let handles else { return nil }
            return (kind, handles)
        }
        let expiration = body.timestamp("expirationDate", .optional)
        let quorum = body.integer("quorum", .optional, in: 1...10)
        let reusable = body.bool("reusable", .optional)
        let answer = body.enumeration("answer", .optional, of: Answer.self)
        guard let person, let topic else { return nil }
        return Order(
            person: person, kind: topic.0, handles: topic.1, expiration: expiration, quorum: quorum,
            reusable: reusable, answer: answer)
    }

    @Test func readsAWholeBody() throws {
        let full = #"""
            {"person":"p-1","topic":{"kind":"purchase","handles":["a","b"]},"expirationDate":"1970-01-01T00:00:01Z",
             "quorum":2,"reusable":false,"answer":"denial"}
            """#
        #expect(
            try read(full, order)
                == Order(
                    person: "p-1", kind: 2, handles: ["a", "b"], expiration: 1_000_000, quorum: 2, reusable: false,
                    answer: .denial))
    }

    @Test func anOptionalMemberMayBeAbsentOrNull() throws {
        let expected = Order(person: "p", kind: 1, handles: ["a"])
        let topic = #""person":"p","topic":{"kind":"communication","handles":["a"]}"#
        #expect(try read("{\(topic)}", order) == expected)
        let nulls = #""expirationDate":null,"quorum":null,"reusable":null,"answer":null"#
        #expect(try read("{\(topic),\(nulls)}", order) == expected)
    }

    @Test func everyWrongFieldIsNamedAtOnce() {
        let wrong = #"""
            {"person":"","topic":{"kind":"gift","handles":["a","",7,"fives"],"extra":1},"expirationDate":"soon",
             "quorum":11,"reusable":0,"answer":"maybe","more":[1],"a/b~c":null}
            """#
        #expect(
            errors(wrong, order) == [
                "/person: must be a string of 1 to 8 bytes",
                #"/topic/kind: must be one of "communication", "purchase""#,
                "/topic/handles: must be an array of 1 to 3 elements",
                "/topic/extra: is not a known member",
                "/expirationDate: must be an RFC 3339 date and time with an offset, such as \"2026-12-05T00:00:00Z\", "
                    + "in the years 0001 to 9999",
                "/quorum: must be an integer from 1 to 10",
                "/reusable: must be true or false",
                #"/answer: must be one of "approval", "denial", "K""#,
                "/more: is not a known member",
                "/a~1b~0c: is not a known member",
            ])
    }

    @Test func missingAndNullAreToldApart() {
        #expect(errors("{}", order) == ["/person: is required", "/topic: is required"])
        #expect(
            errors(#"{"person":null,"topic":null}"#, order) == [
                "/person: must be a string of 1 to 8 bytes", "/topic: must be an object",
            ])
    }

    @Test func elementsAreNamedByIndex() {
        #expect(
            errors(#"{"a":["x",1,"",null,"y"]}"#) { $0.strings("a", count: 0...5, bytes: 1...1) } == [
                "/a/1: must be a string of 1 byte", "/a/2: must be a string of 1 byte",
                "/a/3: must be a string of 1 byte",
            ])
        let nested = errors(#"{"a":[{"b":[true]},{"b":[1,2]},3]}"#) {
            $0.array("a", count: 0...9) { $0.object { $0.array("b", count: 0...9) { $0.bool() } } }
        }
        #expect(
            nested == ["/a/1/b/0: must be true or false", "/a/1/b/1: must be true or false", "/a/2: must be an object"])
    }

    @Test(arguments: ["[]", "\"text\"", "1", "null", "true"])
    func aRootThatIsNoObjectIsOneError(text: String) {
        #expect(errors(text, order) == [": must be an object"])
    }

    @Test func integersAreOnlyIntegers() throws {
        for wrong in ["true", "1.0", "1e2", "\"1\"", "null", "[1]", "{}", "0", "11"] {
            #expect(
                errors("{\"n\":\(wrong)}") { $0.integer("n", in: 1...10) } == ["/n: must be an integer from 1 to 10"])
        }
        #expect(try read(#"{"n":-9223372036854775808}"#) { $0.integer("n") } == .min)
        #expect(try read(#"{"n":9223372036854775807}"#) { $0.integer("n") } == .max)
        #expect(try read(#"{"n":-0}"#) { $0.integer("n") } == 0)
    }

    @Test func booleansAreOnlyBooleans() throws {
        for wrong in ["1", "0", "\"true\"", "null", "[]"] {
            #expect(errors("{\"b\":\(wrong)}") { $0.bool("b") } == ["/b: must be true or false"])
        }
        #expect(try read(#"{"b":true}"#) { $0.bool("b") } == true)
        #expect(try read(#"{"b":false}"#) { $0.bool("b") } == false)
    }

    @Test func stringsKeepTheirBytes() throws {
        let texts = [
            "\u{FEFF}x\u{FEFF}", "\u{E9}", "e\u{301}", "a\r\nb", " a ", "\u{1F468}\u{200D}\u{1F469}", "\u{212B}",
        ]
        for text in texts {
            let body = Array("{\"s\":\"".utf8) + escapingLineEnds(text) + Array("\"}".utf8)
            let value = try JSONDocument.parse(body).readObject { $0.string("s") }
            #expect(Array(value.utf8) == Array(text.utf8))
        }
        #expect(Array(try read(#"{"s":"\ud83d\ude00\u00e9"}"#) { $0.string("s") }.utf8) == Array("😀é".utf8))
    }

    private func escapingLineEnds(_ text: String) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x0A: Array("\\n".utf8)
            case 0x0D: Array("\\r".utf8)
            default: [byte]
            }
        }
    }

    @Test func lengthsAreBytes() {
        #expect(errors(#"{"s":"éé"}"#) { $0.string("s", bytes: 0...4) } == [])
        #expect(
            errors(#"{"s":"ééé"}"#) { $0.string("s", bytes: 0...5) } == ["/s: must be a string of at most 5 bytes"])
    }

    @Test func rulesMayRefuseAValueOfTheRightKind() throws {
        let rule: (String) -> String? = { $0.utf8.contains(10) ? "must have no line breaks" : nil }
        #expect(errors(#"{"s":"a\r\nb"}"#) { $0.string("s", rule: rule) } == ["/s: must have no line breaks"])
        #expect(errors(#"{"s":7}"#) { $0.string("s", rule: rule) } == ["/s: must be a string"])
        let number: (ObjectReader) -> Int? = { $0.string("s", mustBe: "must be digits", as: { Int($0) }) }
        #expect(errors(#"{"s":"x"}"#, number) == ["/s: must be digits"])
        #expect(errors(#"{"s":1}"#, number) == ["/s: must be digits"])
        #expect(try read(#"{"s":"12"}"#, number) == 12)
    }

    @Test func namesAndValuesAreComparedAsBytes() {
        // The Kelvin sign is canonically equal to "K" and must not be taken for it, as a value or as a name.
        #expect(errors("{\"a\":\"\u{212A}\"}") { $0.enumeration("a", of: Answer.self) }.count == 1)
        #expect(errors("{\"a\":\"\u{212A}\"}") { $0.enumeration("a", of: ["K": 1]) } == [#"/a: must be "K""#])
        #expect(
            errors("{\"\u{212A}\":1}") { $0.integer("K") } == ["/K: is required", "/\u{212A}: is not a known member"])
        #expect(errors(#"{"a":"K"}"#) { $0.enumeration("a", of: Answer.self) } == [])
    }

    @Test func aMemberMayBeOfSeveralKinds() throws {
        func range(_ body: ObjectReader) -> String? {
            switch body.kind("range") {
            case .string?: body.enumeration("range", of: ["declined": "declined"])
            case nil: "absent"
            default: body.object("range") { $0.integer("low").map(String.init) }
            }
        }
        #expect(try read(#"{"range":"declined"}"#, range) == "declined")
        #expect(try read(#"{"range":{"low":13}}"#, range) == "13")
        #expect(try read("{}", range) == "absent")
        #expect(errors(#"{"range":1.5}"#, range) == ["/range: must be an object"])
        let kinds = #"{"a":[],"b":{},"c":"","d":1,"e":1.0,"f":true,"g":null}"#
        let found = try read(kinds) { body in
            [body.kind("a"), body.kind("b"), body.kind("c"), body.kind("d"), body.kind("e"), body.kind("f")]
                + [body.kind("g"), body.kind("h")]
        }
        #expect(found == [.array, .object, .string, .integer, .number, .boolean, .null, nil])
    }

    @Test func entriesHaveNamesOfTheirOwn() throws {
        let texts = try read(#"{"t":{"en":"a","de-AT":"b","":"c"}}"#) {
            $0.entries("t", count: 1...3) { name, value in value.string().map { "\(name)=\($0)" } }
        }
        #expect(texts == ["en=a", "de-AT=b", "=c"])
        let wrong = errors(#"{"t":{"en":1,"x/y":"b"}}"#) {
            $0.entries("t", count: 1...3) { name, value -> String? in
                if name == "x/y" { value.refuse("must be named by a language tag") }
                return value.string()
            }
        }
        #expect(wrong == ["/t/en: must be a string", "/t/x~1y: must be named by a language tag"])
        #expect(
            errors(#"{"t":{}}"#) { $0.entries("t", count: 1...3) { $0 + ($1.string() ?? "") } }
                == ["/t: must be an object of 1 to 3 members"])
    }

    @Test func rulesBetweenMembersNameWhatTheyLike() {
        let found = errors(#"{"low":3,"high":2}"#) { body -> Int? in
            let low = body.integer("low")
            let high = body.integer("high")
            if let low, let high, low > high {
                body.refuse("high", "must not be below low")
                body.refuse("must be a range")
            }
            return low
        }
        #expect(found == ["/high: must not be below low", ": must be a range"])
    }

    @Test func membersCanBeIgnored() {
        #expect(
            errors(#"{"a":1,"b":2,"c":3}"#) {
                $0.ignore("a", "c"); return 1
            } == ["/b: is not a known member"])
    }

    @Test func unknownMembersInsideAnIgnoredObjectDoNotCount() {
        #expect(
            errors(#"{"a":{"x":1}}"#) {
                $0.ignore("a"); return 1
            } == [])
    }

    @Test func aReaderThatGivesUpWithoutAReasonStillRefuses() {
        #expect(errors("{}") { _ in Int?.none } == [": is not acceptable"])
    }

    @Test func theNumberOfErrorsIsBounded() {
        let body = "{" + (0..<1_500).map { "\"m\($0)\":1" }.joined(separator: ",") + "}"
        let found = errors(body) { _ in 1 }
        #expect(found.count == 1_001)
        #expect(found.last == ": has 500 more wrong fields")
    }

    @Test func aReaderKeepsTheDocumentAlive() throws {
        let values = try JSONDocument.parse(Array(#"{"a":["one and twenty letters","b"]}"#.utf8)).readObject {
            $0.array("a", count: 0...2) { $0 }
        }
        #expect(values.map { $0.string() } == ["one and twenty letters", "b"])
    }
}
