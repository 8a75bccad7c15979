import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct ReaderPoolTests {
    /// Reads squares; some numbers cannot be read, and some end the session.
    struct Squares: ReadHandler {
        struct Question: Sendable {
            let number: Int32
            let reply: @Sendable (Result<Int32, BatchFailure>) -> Void
        }

        /// What is run in front of the reading.
        var before: @Sendable ([Question]) -> Flight = { _ in Flight() }

        static let statement = Statement(
            "squares", "select n * n / (case when n = 13 then 0 else 1 end) from unnest($1::int4[]) n",
            parameterTypes: [.int4Array])
        static let goodbye = Statement("goodbye", "select pg_terminate_backend(pg_backend_pid())")

        func read(_ items: [Question]) -> Course {
            var flight = before(items)
            var parameters = Parameters()
            parameters.append(int4s: items.map(\.number))
            let place = flight.add(Self.statement, parameters)
            return .flight(flight) { results throws(DatabaseError) in
                var squares: [Int32] = []
                for row in results[place] { squares.append(try row.int4(0)) }
                for (item, square) in zip(items, squares) { item.reply(.success(square)) }
                return .end
            }
        }

        func fail(_ items: [Question], _ failure: BatchFailure) {
            for item in items { item.reply(.failure(failure)) }
        }
    }

    private func read(_ pool: ReaderPool<Squares>, _ number: Int32) async -> Result<Int32, BatchFailure> {
        await withCheckedContinuation { continuation in
            let question = Squares.Question(number: number) { continuation.resume(returning: $0) }
            if case .accepted = pool.submit(question, lane: "lane", deadline: .now + .seconds(20)) { return }
            continuation.resume(returning: .failure(.stopping))
        }
    }

    @Test func readsInBatchesAndIsolatesCulprits() async throws {
        let pool = ReaderPool(
            PoolSettings(try TestCluster.settings(), name: "reader", threads: 2), handler: Squares())
        await withTaskGroup(of: Void.self) { group in
            for number: Int32 in 1...100 {
                group.addTask {
                    switch await read(pool, number) {
                    case .success(let square): #expect(square == number * number)
                    case .failure(.poisoned(let error)): #expect(number == 13 && error.sqlState == "22012")
                    case .failure(let failure): Issue.record("\(number) ended in \(failure)")
                    }
                }
            }
        }
        #expect(await pool.stop(within: .seconds(5)))
    }

    @Test func readsAgainOnceWhenTheConnectionIsLost() async throws {
        let losses = Countdown(1)
        var handler = Squares()
        handler.before = { items in
            var flight = Flight()
            if losses.next() || items.contains(where: { $0.number == 99 }) { flight.add(Squares.goodbye) }
            return flight
        }
        let witness = Witness()
        let pool = ReaderPool(
            PoolSettings(try TestCluster.settings(), name: "reader", threads: 1), handler: handler,
            observe: witness.note)
        #expect(try await read(pool, 5).get() == 25)
        guard case .failure(.unavailable) = await read(pool, 99) else {
            Issue.record("not unavailable")
            return
        }
        // Once for the first, twice for the second: it was read again, once.
        #expect(witness.count { if case .lost = $0 { true } else { false } } == 3)
        #expect(try await read(pool, 6).get() == 36)
        await pool.stop(within: .seconds(5))
    }
}
