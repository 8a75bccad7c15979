import Testing

@testable import AppStore

struct NotificationHistoryTests {
    private func read(_ text: String) throws(NotificationHistory.Fault) -> NotificationHistory {
        try NotificationHistory(Array(text.utf8))
    }

    private func fault(_ text: String) -> String? {
        do throws(NotificationHistory.Fault) {
            _ = try read(text)
            return nil
        } catch {
            return "\(error.line.map { "\($0)" } ?? "-") \(error.detail)"
        }
    }

    @Test func aResponseAsItCame() throws {
        let history = try read(
            """
            {"paginationToken":"x","hasMore":true,"notificationHistory":[
              {"signedPayload":"a.b.c","sendAttempts":[{"attemptDate":1,"sendAttemptResult":"SUCCESS"}]},
              {"signedPayload":"d.e.f","sendAttempts":[],"more":{}}
            ]}
            """)
        #expect(history.signedPayloads == ["a.b.c", "d.e.f"] && history.isPartial)
    }

    @Test func aLineEach() throws {
        let history = try read("a.b.c\r\n\n  d.e.f  \na.b.c\n{\"notificationHistory\":[{\"signedPayload\":\"g.h.i\"}]}")
        #expect(history.signedPayloads == ["a.b.c", "d.e.f", "g.h.i"] && !history.isPartial)
        #expect(try read("{\"signedPayload\":\"a.b.c\"}\n{\"signedPayload\":\"d.e.f\"}\n").signedPayloads.count == 2)
    }

    /// Pages one a line: the last one's word counts.
    @Test func pagesOneALine() throws {
        let page = #"{"hasMore":false,"notificationHistory":[{"signedPayload":"a.b.c"}]}"#
        let first = page.replacing("false", with: "true")
        #expect(try !read(first + "\n" + page).isPartial)
        #expect(try read(page + "\n" + first).isPartial)
        #expect(try read(#"{"notificationHistory":[]}"#).signedPayloads.isEmpty)
    }

    @Test func whatIsNone() {
        #expect(fault("") == "- the file is empty")
        #expect(fault(" \n") == "- the file is empty")
        #expect(fault("a.b.c\nnonsense") == "2 it is neither a signed payload nor JSON that can be read")
        #expect(fault("a.b.c d") == "1 it is neither a signed payload nor JSON that can be read")
        #expect(fault("[]") == "1 it is neither a signed payload nor JSON that can be read")
        #expect(fault("{}") == "1 /notificationHistory is required")
        #expect(fault(#"{"notificationHistory":[{}]}"#) == "1 /notificationHistory/0/signedPayload is required")
    }
}
