package import Consent
package import JSON

extension JSONWriter {
    /// One entry of an app's log; `id` is the feed's id, an underscore and `seq`, and serves as a cursor.
    ///
    /// - Parameters:
    ///   - answer: the answer that made the event; the member is left out where none did.
    ///   - evidence: what a decision was made on; the member is left out where there is none.
    ///   - data: writes the resource as it was right after the event, as one value.
    package mutating func event(
        feed: String, seq: Int64, type: EventType, at: Instant, app: AppID, person: CallerID?,
        personRef: Identifier?, revision: Int?, answer: GuardianAnswer?, evidence: Evidence?,
        data: (inout JSONWriter) -> Void
    ) {
        beginObject()
        key("id")
        string(EventPosition(feed: feed, seq: seq).text)
        key("seq")
        integer(seq)
        key("type")
        string(type.rawValue)
        key("timestamp")
        moment(at)
        key("app")
        string(app.text)
        key("person")
        callerID(person)
        key("personRef")
        identifier(personRef)
        key("revision")
        integer(revision)
        if let answer {
            key("answer")
            self.answer(answer)
        }
        if let evidence {
            key("evidence")
            self.evidence(evidence)
        }
        key("data")
        data(&self)
        endObject()
    }

    private mutating func evidence(_ evidence: Evidence) {
        beginObject()
        key("personRevision")
        integer(evidence.personRevision)
        key("ageGroup")
        string(evidence.ageGroup.rawValue)
        key("policyRevision")
        integer(evidence.policyRevision)
        key("quorum")
        integer(evidence.quorum)
        key("answers")
        beginArray()
        for answer in evidence.answers {
            beginObject()
            key("guardian")
            callerID(answer.guardian)
            key("answer")
            string(answer.kind.rawValue)
            key("revision")
            integer(answer.revision)
            endObject()
        }
        endArray()
        endObject()
    }
}
