import Consent
import JSON
import Representation
import Store

extension Problem {
    /// What a command was refused for, told to its caller.
    ///
    /// - Parameters:
    ///   - person: the caller's id of the person whose question the refusal holds.
    ///   - now: the moment the refusal was made at.
    init(_ refusal: Refusal, app: AppID, person: CallerID?, at now: Instant) {
        func standing(_ type: ProblemType, _ question: Question, _ detail: String) -> Problem {
            var writer = JSONWriter(capacity: 1_024)
            writer.question(question.effective(at: now), app: app, person: person, at: now)
            return Problem(type, detail, current: writer.finish())
        }
        switch refusal {
        case .unknownApp: self.init(.appNotFound)
        case .unknownPerson: self.init(.personNotFound)
        case .unknownQuestion: self.init(.questionNotFound)
        case .unknownChange: self.init(.changeNotFound)
        case .unknownKey: self.init(.keyNotFound)
        case .unknownNotification: self.init(.notificationNotFound)
        case .accountTaken: self.init(.accountTaken, "An id belongs to one person of an app and environment.")
        case .notAttributable(let notification):
            var writer = JSONWriter(capacity: 512)
            writer.storeNotification(notification, person: nil)
            self.init(
                .notAttributable, "Only a rescission of which nobody knows whom it concerns is attributed by hand.",
                current: writer.finish())
        case .preconditionFailed: self.init(.preconditionFailed)
        case .notAvailable: self.init(.notAvailable, "Nobody answers for an adult; there is nothing to ask.")
        case .blocked(let reason):
            self.init(.accessBlocked, "The person is blocked whatever a guardian says: \(reason.rawValue).")
        case .notAnAdult: self.init(.notAnAdult, "Only adults acknowledge; for a minor, ask a guardian.")
        case .ageUnknown: self.init(.ageUnknown, "Only adults acknowledge, and this person may be a minor.")
        case .adultNotConfirmed:
            self.init(.adultNotConfirmed, "The app's policy lets only adults of confirmed age acknowledge.")
        case .questionExpired(let question):
            self = standing(.questionExpired, question, "Nothing that was not said before it expired is taken now.")
        case .questionCancelled(let question):
            self = standing(.questionCancelled, question, "Nobody waits for an answer to it any more.")
        case .questionSuperseded(let question):
            self = standing(.questionSuperseded, question, "The question in supersededBy takes its place.")
        case .questionDecided(let question):
            self = standing(.questionDecided, question, "Only a pending question can be cancelled.")
        case .consentRescinded(let question?):
            self = standing(.consentRescinded, question, "What was approved before stays void; it is to be asked anew.")
        case .consentRescinded(nil):
            self.init(.consentRescinded, "Nothing is taken for the person until they are reinstated.")
        case .revisionChanged(let question):
            self = standing(.revisionChanged, question, "The guardian has not seen the question as it is now.")
        case .deniedRecently(let question, let until, let now):
            self = standing(
                .deniedRecently, question, "It may be asked again once the app's ask-again time has passed.")
            retryAfter = Self.seconds(from: now, to: until)
        case .guardianNotLinked:
            self.init(
                .guardianNotLinked,
                errors: [FieldError(pointer: "/guardian", detail: "must be a guardian linked to the person")])
        case .verificationRequired(let methods):
            self.init(
                .verificationRequired,
                errors: [
                    FieldError(
                        pointer: "/verification",
                        detail: "must name a method the app accepts for an approval: "
                            + methods.joined(separator: ", "))
                ])
        case .quorumUnreachable(let links, let quorum):
            self.init(
                .quorumUnreachable, "Guardians who must approve: \(quorum); linked: \(links).",
                errors: [FieldError(pointer: "/quorum", detail: "must not be above the number of linked guardians")])
        case .changeNotRegistered:
            self.init(
                .changeNotRegistered,
                errors: [FieldError(pointer: "/topic/change", detail: "must be a registered change")])
        case .changeWithdrawn(let change):
            var writer = JSONWriter(capacity: 512)
            writer.change(change)
            self.init(.changeWithdrawn, "It concerns nobody any more.", current: writer.finish())
        case .rescindedChangeNotRegistered:
            self.init(
                .changeNotRegistered, errors: [FieldError(pointer: "/change", detail: "must be a registered change")])
        case .expirationNotAfterNow(let now):
            self.init(
                .expirationNotAcceptable,
                errors: [
                    FieldError(
                        pointer: "/expirationDate",
                        detail: "must be after the server's now, \(RFC3339.write(now.microseconds))")
                ])
        case .expirationTooFar(let latest):
            self.init(
                .expirationNotAcceptable,
                errors: [
                    FieldError(
                        pointer: "/expirationDate",
                        detail: "must not be after \(RFC3339.write(latest.microseconds)), 365 days from now")
                ])
        case .observationAhead(let latest):
            self.init(
                .observationNotAcceptable,
                errors: [
                    FieldError(
                        pointer: "/observedAt",
                        detail: "must not be after \(RFC3339.write(latest.microseconds)), 5 minutes from now")
                ])
        case .unknownWebhookEndpoint: self.init(.webhookEndpointNotFound)
        case .tooManyWebhookEndpoints:
            self.init(
                .tooManyWebhookEndpoints,
                "An app has at most \(WebhookEndpoint.mostPerApp) endpoints; delete one, or let one take more types.")
        case .webhookEndpointDisabled(let endpoint):
            var writer = JSONWriter(capacity: 512)
            writer.webhookEndpoint(endpoint)
            self.init(
                .webhookEndpointDisabled, "Nothing is sent to it until its status is enabled again.",
                current: writer.finish())
        case .unknownEvent:
            self.init(
                .invalidBody,
                errors: [FieldError(pointer: "/event", detail: "must be the id of an event that the app's log has")])
        case .idempotencyKeyReused:
            self.init(
                .idempotencyKeyReused, "A key belongs to one method, path and body for 72 hours.",
                header: "Idempotency-Key")
        }
    }

    /// Whole seconds, rounded up, at least one.
    private static func seconds(from now: Instant, to later: Instant) -> Int {
        let (span, overflow) = later.microseconds.subtractingReportingOverflow(now.microseconds)
        guard !overflow, span > 0 else { return 1 }
        return Int((span - 1) / 1_000_000) + 1
    }
}

extension ProblemType {
    /// The type of a refusal that is remembered by its code alone; nil for a code of some other release.
    init?(refusalCode code: String) {
        switch code {
        case "unknownApp": self = .appNotFound
        case "unknownPerson": self = .personNotFound
        case "unknownQuestion": self = .questionNotFound
        case "unknownChange": self = .changeNotFound
        case "unknownKey": self = .keyNotFound
        case "unknownNotification": self = .notificationNotFound
        case "accountTaken": self = .accountTaken
        case "notAttributable": self = .notAttributable
        case "preconditionFailed": self = .preconditionFailed
        case "notAvailable": self = .notAvailable
        case "questionExpired": self = .questionExpired
        case "questionCancelled": self = .questionCancelled
        case "questionSuperseded": self = .questionSuperseded
        case "questionDecided": self = .questionDecided
        case "consentRescinded": self = .consentRescinded
        case "revisionChanged": self = .revisionChanged
        case "deniedRecently": self = .deniedRecently
        case "guardianNotLinked": self = .guardianNotLinked
        case "verificationRequired": self = .verificationRequired
        case "quorumUnreachable": self = .quorumUnreachable
        case "blocked": self = .accessBlocked
        case "notAnAdult": self = .notAnAdult
        case "ageUnknown": self = .ageUnknown
        case "adultNotConfirmed": self = .adultNotConfirmed
        case "changeNotRegistered", "rescindedChangeNotRegistered": self = .changeNotRegistered
        case "changeWithdrawn": self = .changeWithdrawn
        case "expirationNotAfterNow", "expirationTooFar": self = .expirationNotAcceptable
        case "observationAhead": self = .observationNotAcceptable
        case "unknownWebhookEndpoint": self = .webhookEndpointNotFound
        case "tooManyWebhookEndpoints": self = .tooManyWebhookEndpoints
        case "webhookEndpointDisabled": self = .webhookEndpointDisabled
        case "unknownEvent": self = .invalidBody
        case "idempotencyKeyReused": self = .idempotencyKeyReused
        default: return nil
        }
    }
}
