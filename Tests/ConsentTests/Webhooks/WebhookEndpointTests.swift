import Consent
import Testing

/// What attempts, callers and time make of an endpoint.
@Suite struct WebhookEndpointTests {
    private let now = Instant(microseconds: 1_800_000_000_000_000)
    private let day: Int64 = 86_400

    private func endpoint(failingSince: Instant? = nil) -> WebhookEndpoint {
        WebhookEndpoint(
            id: Identifier(high: 1, low: 2), settings: WebhookSettings(url: "https://a.example/", types: [.all]),
            status: .enabled, failingSince: failingSince, secrets: [WebhookSecret(sealed: [1], endsAt: nil)],
            revision: 3, createdAt: now, updatedAt: now)
    }

    private var failures: [AttemptResult] {
        (300...599).filter { $0 != 410 }.map { .answered(status: $0, retryAfterSeconds: nil) }
            + AttemptFailure.allCases.filter { $0 != .unsigned }.map { .failed($0) }
    }

    // MARK: Attempts

    @Test func theFirstFailureStartsTheClockAndOthersLeaveIt() {
        for failure in failures {
            let first = endpoint().after(failure, now: now)
            #expect(first.failingSince == now && first.status == .enabled && first.revision == 3)
            let second = first.after(failure, now: now.adding(seconds: day))
            #expect(second == first)
        }
    }

    @Test func fiveDaysWithoutOneSuccessDisable() {
        let limit = 5 * day
        for failure in failures {
            let failing = endpoint(failingSince: now)
            #expect(failing.after(failure, now: now.adding(seconds: limit - 1)).status == .enabled)
            for late in [limit, limit + 1, 40 * day] {
                let moment = now.adding(seconds: late)
                let next = failing.after(failure, now: moment)
                #expect(next.status == .disabled && next.disabledReason == .failing && next.disabledAt == moment)
                #expect(next.failingSince == now && next.revision == 4 && next.updatedAt == moment)
                // It is disabled once.
                #expect(next.after(failure, now: moment.adding(seconds: day)) == next)
            }
        }
    }

    @Test func oneSuccessEndsTheRun() {
        for status in 200...299 {
            let moment = now.adding(seconds: 9 * day)
            let next = endpoint(failingSince: now).after(
                .answered(status: status, retryAfterSeconds: nil), now: moment)
            #expect(next.failingSince == nil && next.lastSuccessAt == moment && next.status == .enabled)
            #expect(next.after(.failed(.timeout), now: moment).status == .enabled)
        }
    }

    @Test func goneDisablesAtOnce() {
        let next = endpoint().after(.answered(status: 410, retryAfterSeconds: 60), now: now)
        #expect(next.status == .disabled && next.disabledReason == .gone && next.disabledAt == now)
    }

    @Test func whatTheOperatorIsToBlameForDisablesNobody() {
        #expect(endpoint().after(.failed(.unsigned), now: now) == endpoint())
        let failing = endpoint(failingSince: now)
        #expect(failing.after(.failed(.unsigned), now: now.adding(seconds: 30 * day)) == failing)
    }

    @Test func anAttemptThatEndsLateLeavesADisabledEndpointSo() {
        let disabled = endpoint().disabled(.operatorRequest, at: now)
        for result in failures + [.answered(status: 410, retryAfterSeconds: nil)] {
            let next = disabled.after(result, now: now.adding(seconds: 30 * day))
            #expect(next.disabledReason == .operatorRequest && next.disabledAt == now && next.revision == 4)
        }
        #expect(disabled.after(.answered(status: 200, retryAfterSeconds: nil), now: now).status == .disabled)
    }

    // MARK: Callers

    @Test func aPutThatSaysTheSameChangesNothing() {
        #expect(
            endpoint().replaced(by: endpoint().settings, status: .enabled, now: now.adding(seconds: 1)) == endpoint())
        let disabled = endpoint(failingSince: now).disabled(.failing, at: now)
        let later = now.adding(seconds: 1)
        #expect(disabled.replaced(by: disabled.settings, status: .disabled, now: later) == disabled)
    }

    @Test func aPutIsOneRevision() {
        let other = WebhookSettings(url: "https://b.example/", types: [.all], description: "x")
        let later = now.adding(seconds: 1)
        for status in WebhookEndpoint.Status.allCases {
            let next = endpoint().replaced(by: other, status: status, now: later)
            #expect(next.revision == 4 && next.updatedAt == later && next.settings == other && next.status == status)
        }
        let disabled = endpoint().replaced(by: endpoint().settings, status: .disabled, now: later)
        #expect(disabled.revision == 4 && disabled.disabledReason == .operatorRequest)
    }

    @Test func enabledAgainItIsAsIfItHadNeverFailed() {
        let disabled = endpoint(failingSince: now).disabled(.failing, at: now)
        let next = disabled.replaced(by: disabled.settings, status: .enabled, now: now.adding(seconds: 10 * day))
        #expect(next.status == .enabled && next.failingSince == nil && next.disabledReason == nil)
        #expect(next.disabledAt == nil && next.revision == 5)
    }

    @Test func urlsAreComparedAsBytes() {
        #expect(
            WebhookSettings(url: "https://a.example/\u{e9}", types: [.all])
                != WebhookSettings(url: "https://a.example/e\u{301}", types: [.all]))
    }

    // MARK: Secrets

    @Test func earlierSecretsSignForTheOverlap() {
        let rotated = endpoint().rotated(to: [2], overlapSeconds: 60, now: now)
        #expect(rotated.revision == 4)
        #expect(rotated.secrets(at: now).map(\.sealed) == [[2], [1]])
        #expect(rotated.secrets(at: now.adding(seconds: 59)).map(\.sealed) == [[2], [1]])
        #expect(rotated.secrets(at: now.adding(seconds: 60)).map(\.sealed) == [[2]])
        #expect(endpoint().rotated(to: [2], overlapSeconds: 0, now: now).secrets.map(\.sealed) == [[2]])
    }

    @Test func aRotationNeverLengthensALife() {
        let twice = endpoint().rotated(to: [2], overlapSeconds: 60, now: now)
            .rotated(to: [3], overlapSeconds: 3_600, now: now.adding(seconds: 30))
        #expect(twice.secrets.map(\.sealed) == [[3], [2], [1]])
        #expect(twice.secrets.map(\.endsAt) == [nil, now.adding(seconds: 3_630), now.adding(seconds: 60)])
        let shorter = twice.rotated(to: [4], overlapSeconds: 1, now: now.adding(seconds: 30))
        #expect(shorter.secrets.dropFirst().allSatisfy { $0.endsAt == now.adding(seconds: 31) })
    }

    @Test func noMoreThanAFewSecretsSignAtOnce() {
        var rotated = endpoint()
        for number in 2...20 { rotated = rotated.rotated(to: [UInt8(number)], overlapSeconds: 3_600, now: now) }
        #expect(rotated.secrets.map(\.sealed) == [[20], [19], [18], [17], [16]])
    }
}
