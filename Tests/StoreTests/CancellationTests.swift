import Consent
import TestSupport
import Testing

@testable import Postgres
@testable import Store

/// What becomes of a request whose caller is gone.
@Suite(.timeLimit(.minutes(5))) struct CancellationTests {
    @Test func anAbandonedCommandLeavesTheQueueAndIsNotRun() async throws {
        try await OneBatch.with("cancelled_command") { test, batch in
            let before = try test.dump()
            let kept = try await batch.whileHeld {
                let abandoned = Task { try await batch.store.submit(test.submission("p-1")) }
                while batch.store.writeDepth < 1 { await Task.yield() }
                let kept = Task { try await batch.store.submit(test.submission("p-2")) }
                while batch.store.writeDepth < 2 { await Task.yield() }
                abandoned.cancel()
                await #expect(throws: StoreFailure.deadline) { try await abandoned.value }
                #expect(batch.store.writeDepth == 1)
                let after = try test.dump()
                #expect(after == before)
                return kept
            }
            #expect(try await kept.value.asked == .created)
            #expect(try test.texts("select id from person where id <> 'gate'") == ["p-2"])
            #expect(try test.count("select count(*) from question") == 1)
        }
    }

    @Test func aCommandInHandIsAnsweredAsUsual() async throws {
        try await OneBatch.with("cancelled_in_hand") { test, batch in
            let connection = try Connection(test.settings)
            defer { connection.close() }
            try connection.execute("begin; select 1 from person where id = 'gate' for update")
            let waiting = Task {
                try await batch.store.submit(
                    Submission(app: test.app, command: .putPerson("gate", Samples.minor, .none)))
            }
            try await test.somebodyWaitsForALock()
            waiting.cancel()
            try connection.execute("commit")
            #expect(try await waiting.value.person?.facts == Samples.minor)
        }
    }

    @Test func anAbandonedReadLeavesTheQueue() async throws {
        try await OneBatch.with("cancelled_read") { test, batch in
            let connection = try Connection(test.settings)
            defer { connection.close() }
            try connection.execute("begin; lock table person in access exclusive mode")
            let inHand = Task { try await batch.store.person(test.app, "gate") }
            try await test.somebodyWaitsForALock()
            let abandoned = Task { try await batch.store.person(test.app, "gate") }
            while batch.store.readDepth < 1 { await Task.yield() }
            abandoned.cancel()
            await #expect(throws: StoreFailure.deadline) { try await abandoned.value }
            #expect(batch.store.readDepth == 0)
            inHand.cancel()
            try connection.execute("commit")
            #expect(try await inHand.value?.id == "gate")
        }
    }

    @Test func whoIsGoneBeforeItBeganHandsNothingIn() async throws {
        let item = PendingRequest<Int, Int>(1)
        let mailbox = Mailbox<PendingRequest<Int, Int>>()
        let answer = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await item.answer {
                mailbox.put(item, lane: "a")
            } takeBack: {
                mailbox.cancel($0) != nil
            }
        }.value
        #expect(answer == .failure(.deadline))
        #expect(mailbox.depth == 0)
    }

    @Test func aCancellationBeforeTheTicketIsKnownStillTakesBack() async throws {
        let item = PendingRequest<Int, Int>(1)
        let mailbox = Mailbox<PendingRequest<Int, Int>>()
        let answer = await Task {
            await item.answer {
                defer { withUnsafeCurrentTask { $0?.cancel() } }
                return mailbox.put(item, lane: "a")
            } takeBack: {
                mailbox.cancel($0) != nil
            }
        }.value
        #expect(answer == .failure(.deadline))
        #expect(mailbox.depth == 0)
    }

    @Test func manyCancelledWhileTheyAreTakenAreEachToldOnce() async throws {
        let mailbox = Mailbox<PendingRequest<Int, Int>>()
        let tasks = (0..<2_000).map { number in
            Task {
                let item = PendingRequest<Int, Int>(number)
                return await item.answer {
                    mailbox.put(item, lane: "a")
                } takeBack: {
                    mailbox.cancel($0) != nil
                }
            }
        }
        let cancelling = Task.detached { for task in tasks { task.cancel() } }
        let taking = Task.detached {
            var isOver = false
            while !isOver {
                switch mailbox.take(until: .now) {
                case .batch(let batch):
                    for item in batch.entries.compactMap(\.item) { item.answer(.success(item.request)) }
                    mailbox.done(batch)
                case .idle:
                    await Task.yield()
                    isOver = Task.isCancelled
                case .closed: isOver = true
                }
            }
        }
        for (number, task) in tasks.enumerated() {
            let answer = await task.value
            #expect(answer == .success(number) || answer == .failure(.deadline))
        }
        await cancelling.value
        taking.cancel()
        await taking.value
        #expect(mailbox.depth == 0)
    }
}

extension TestStore {
    fileprivate func submission(_ person: CallerID) -> Submission {
        Submission(app: app, command: Samples.ask(person))
    }
}
