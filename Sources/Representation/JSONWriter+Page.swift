package import Consent
package import JSON

extension JSONWriter {
    /// A page of a list: its rows, each written by `write`, and where the next page starts, `null` after the last.
    package mutating func page<Row>(
        _ rows: [Row], nextCursor: String?, _ write: (inout JSONWriter, Row) -> Void
    ) {
        beginObject()
        key("data")
        beginArray()
        for row in rows { write(&self, row) }
        endArray()
        key("nextCursor")
        string(nextCursor)
        endObject()
    }

    /// How many questions are in each state; every state is there, zero included.
    package mutating func counts(_ counts: [QuestionState: Int]) {
        beginObject()
        for state in QuestionState.allCases {
            key(escaping: state.rawValue)
            integer(counts[state] ?? 0)
        }
        endObject()
    }
}
