import Consent
import Store
@testable import TestSupport

/// A log in which persons who were erased have names again, so that it can be read as what happened: a person is called
/// by their ref, and what was asked is told apart by which question it was, or which ones superseded each other.
struct Forgotten {
    private(set) var events: [EventRecord]

    init(_ events: [EventRecord]) {
        let refs = Set(events.filter { $0.type == .personErased }.compactMap(\.personRef))
        var subjects: [Identifier: CallerID] = [:]
        self.events = events.map { event in
            guard let ref = event.personRef, refs.contains(ref) else { return event }
            var data = event.data
            if case .question(var question, let answer) = data {
                let subject = subjects[question.id] ?? CallerID(trusted: "about-" + question.id.text)
                subjects[question.id] = subject
                if let successor = question.supersededBy { subjects[successor] = subject }
                question = question.about(question.topic.about(subject))
                data = .question(question, answer: answer)
            }
            return EventRecord(
                app: event.app, feed: event.feed, seq: event.seq, type: event.type, at: event.at,
                person: .forgotten(ref), personRef: ref, revision: event.revision, data: data,
                evidence: event.evidence)
        }
    }
}

extension CallerID {
    fileprivate static func forgotten(_ ref: Identifier) -> CallerID {
        CallerID(trusted: "forgotten-" + ref.text)
    }

    var isForgotten: Bool { text.hasPrefix("forgotten-") }
}

extension Topic {
    fileprivate func about(_ subject: CallerID) -> Topic {
        switch self {
        case .significantAppUpdate: self
        case .communication: .communication(handles: [subject])
        case .purchase: .purchase(product: subject)
        case .custom(subject: _, let reusable): .custom(subject: subject, reusable: reusable)
        }
    }
}

extension Question {
    fileprivate func about(_ topic: Topic) -> Question {
        Question(
            id: id, personRef: personRef, topic: topic, description: description, language: language, quorum: quorum,
            expiration: expiration, createdAt: createdAt, revision: revision, state: state, everApproved: everApproved,
            resolution: resolution, supersededBy: supersededBy, updatedAt: updatedAt, remindedAt: remindedAt,
            latestAnswers: latestAnswers)
    }
}

extension Told {
    /// Without what a log cannot tell: of two events of one moment, which of them a reminder of that moment came before.
    /// Nobody is shown when somebody was reminded.
    var settled: Told {
        guard case .question(var question, let answer) = data, question.remindedAt == at else { return self }
        question.remindedAt = nil
        var told = self
        told.data = .question(question, answer: answer)
        return told
    }
}
