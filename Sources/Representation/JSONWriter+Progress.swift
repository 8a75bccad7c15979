package import Consent
package import JSON

extension JSONWriter {
    /// How far a change has come; every count is there, zero included.
    package mutating func progress(
        of change: CallerID, persons: Int, questions: [QuestionState: Int], acknowledged: Int
    ) {
        beginObject()
        key("change")
        callerID(change)
        key("persons")
        integer(persons)
        key("counts")
        beginObject()
        for state in QuestionState.allCases {
            key(escaping: state.rawValue)
            integer(questions[state] ?? 0)
        }
        key("acknowledged")
        integer(acknowledged)
        endObject()
        endObject()
    }
}
