package import Consent
package import Store

/// What a test expects a reply to be, taken out of it; nil for any other reply.
extension Reply {
    package var outcome: Outcome? {
        if case .done(let outcome) = self { outcome } else { nil }
    }

    package var refusal: Refusal? {
        if case .refused(let refusal, person: _, at: _) = self { refusal } else { nil }
    }

    /// The question asked, whether anew or standing, answered or cancelled.
    package var record: QuestionRecord? {
        switch outcome {
        case .asked(let record, _), .question(let record): record
        case .askedAll, .answers, .expired, .reminded, .person, .link, .unlinked, .acknowledgment, .rescinded,
            .reinstated, .erased,
            .change,
            .ageRating, .notification, .registered, .app, .key, .keyRevoked, .ticket, .used, .webhook, .forgotten,
            .pruned, nil:
            nil
        }
    }

    package var question: Question? { record?.question }

    package var asked: Outcome.Asked? {
        if case .asked(_, let asked) = outcome { asked } else { nil }
    }

    package var person: Person? {
        if case .person(let person, created: _) = outcome { person } else { nil }
    }

    /// How consent stands after a rescission or a return.
    package var standing: ConsentStanding? {
        switch outcome {
        case .rescinded(let standing), .reinstated(let standing): standing
        default: nil
        }
    }

    package var items: [AnswerItemResult]? {
        if case .answers(_, let items) = outcome { items } else { nil }
    }

    /// What came of asking for everything.
    package var askedItems: [AskedItem]? {
        if case .askedAll(_, let items) = outcome { items } else { nil }
    }

    package var replay: (status: Int, resource: ResourceName)? {
        if case .replayed(let status, let resource) = self { (status, resource) } else { nil }
    }

    /// Whether the command made something that was not there.
    package var created: Bool? {
        switch outcome {
        case .asked(_, let asked): asked == .created
        case .person(_, let created), .link(_, let created), .acknowledgment(_, _, let created),
            .change(_, let created), .app(_, let created):
            created
        case .ageRating(let report): report.isRecorded
        case .askedAll, .question, .answers, .expired, .reminded, .unlinked, .rescinded, .reinstated, .erased, .key,
            .keyRevoked, .notification, .ticket, .used, .webhook, .forgotten, .pruned, nil:
            nil
        case .registered(_, _, let created): created
        }
    }

    /// A store's notice as it was kept.
    package var notification: StoreNotification? {
        if case .notification(let record) = outcome { record.notification } else { nil }
    }

    /// A registered store's id, and the person as they are after it.
    package var registered: (account: RegisteredAccount, person: Person)? {
        if case .registered(let account, let person, created: _) = outcome { (account, person) } else { nil }
    }

    package var isReplay: Bool { replay != nil }
}

extension AskedItem {
    package var record: QuestionRecord? {
        if case .asked(let record, _) = result { record } else { nil }
    }

    package var question: Question? { record?.question }

    package var asked: Outcome.Asked? {
        if case .asked(_, let asked) = result { asked } else { nil }
    }

    package var refusal: Refusal? {
        if case .refused(let refusal, at: _) = result { refusal } else { nil }
    }
}
