import Consent
import Store

/// A reply as text, to compare two by all they say. A question's latest answers are left out: how many of them a reply
/// holds depends on what had to be loaded for it, and nobody is shown them.
extension Reply {
    var text: String {
        switch self {
        case .done(let outcome): "done \(outcome.bare)"
        case .refused(let refusal, let person, let at): "refused \(refusal.bare) \(String(describing: person)) \(at)"
        case .replayed: "\(self)"
        }
    }

    /// The database's moment in it, where it says one that is the command's own.
    var moment: Instant? {
        switch self {
        case .refused(_, person: _, let at): return at
        case .replayed: return nil
        case .done(let outcome):
            switch outcome {
            case .asked(let record, _), .question(let record): return record.readAt
            case .answers(_, let items): return items.first?.moment
            case .askedAll(_, let items): return items.first?.moment
            case .link(let link, created: true): return link.createdAt
            case .acknowledgment(let given, person: _, created: true): return given.at
            case .key(let key): return key.createdAt
            case .rescinded(let standing), .reinstated(let standing): return standing.at
            case .ageRating(let report): return report.isRecorded ? report.baseline?.recordedAt : nil
            case .registered(let account, _, created: true): return account.registeredAt
            case .notification, .registered, .person, .change, .app, .link, .acknowledgment, .unlinked, .erased,
                .expired, .reminded, .keyRevoked, .ticket, .used, .webhook,
                .forgotten, .pruned:
                return nil
            }
        }
    }
}

extension AnswerItemResult {
    fileprivate var moment: Instant {
        switch result {
        case .accepted(let record): record.readAt
        case .refused(_, let at): at
        }
    }

    fileprivate var bare: String {
        switch result {
        case .accepted(let record): "\(question) accepted \(record.bare)"
        case .refused(let refusal, let at): "\(question) refused \(refusal.bare) \(at)"
        }
    }
}

extension AskedItem {
    fileprivate var moment: Instant {
        switch result {
        case .asked(let record, _): record.readAt
        case .refused(_, let at): at
        }
    }

    fileprivate var bare: String {
        switch result {
        case .asked(let record, let asked): "\(change) \(asked) \(record.bare)"
        case .refused(let refusal, let at): "\(change) refused \(refusal.bare) \(at)"
        }
    }
}

extension Outcome {
    fileprivate var bare: String {
        switch self {
        case .asked(let record, let asked): return "asked \(record.bare) \(asked)"
        case .askedAll(let person, let items): return "askedAll \(person) \(items.map(\.bare))"
        case .question(let record): return "question \(record.bare)"
        case .answers(let person, let items): return "answers \(person) \(items.map(\.bare))"
        case .person(var person, let created):
            person.guardians = []
            return "person \(person) \(created)"
        case .rescinded(let standing), .reinstated(let standing):
            var person = standing.person
            person.guardians = []
            return "standing \(person) \(standing.scope) \(standing.ended) \(standing.at)"
        case .expired, .erased, .reminded, .link, .unlinked, .acknowledgment, .change, .ageRating, .app, .key,
            .keyRevoked, .notification, .registered, .ticket, .used, .webhook, .forgotten, .pruned:
            return "\(self)"
        }
    }
}

extension Question {
    /// Without its answers.
    var bare: Question {
        var question = self
        question.latestAnswers = []
        return question
    }
}

extension QuestionRecord {
    fileprivate var bare: QuestionRecord {
        QuestionRecord(app: app, person: person, question: question.bare, readAt: readAt)
    }
}

extension Refusal {
    /// The question it shows, where it shows one.
    var shown: Question? {
        switch self {
        case .questionExpired(let question), .questionCancelled(let question), .questionSuperseded(let question),
            .questionDecided(let question), .revisionChanged(let question),
            .consentRescinded(let question?):
            question
        case .deniedRecently(let question, until: _, now: _): question
        default: nil
        }
    }

    fileprivate var bare: String {
        switch self {
        case .deniedRecently(let question, let until, let now): "\(code) \(question.bare) \(until) \(now)"
        default: shown.map { "\(code) \($0.bare)" } ?? "\(self)"
        }
    }
}
