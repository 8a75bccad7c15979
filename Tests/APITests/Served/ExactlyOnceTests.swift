import Foundation
import Synchronization
import Testing

@testable import API

/// Writers on two instances, readers that come and go, and listeners that are cut off: every reader ends with the same list.
@Suite(.timeLimit(.minutes(5))) struct ExactlyOnceTests {
    /// The id of the event at which the readers may end, once it is written.
    private final class End: Sendable {
        private let state = Mutex<String?>(nil)
        var id: String? { state.withLock { $0 } }
        func set(_ id: String?) { state.withLock { $0 = id } }
        func isAmong(_ ids: [String]) -> Bool { id.map(ids.contains) ?? false }
    }

    @Test func everyReaderEndsWithTheSameList() async throws {
        let app = try await TestService.get().newApp()
        let instances = [try Instance(), try Instance()]
        for instance in instances { try await instance.listening() }
        let begin = try await app.service.get("/v1/events?limit=100").json["nextCursor"].string ?? ""
        let (writers, each) = (16, 12)
        let last = End()
        let lists = try await withThrowingTaskGroup(of: [String]?.self) { group in
            for reader in 0..<3 {
                group.addTask {
                    var ids: [String] = []
                    var cursor = begin
                    var visit = reader
                    while true {
                        let client = instances[visit % 2].client(app)
                        visit += 1
                        let stream = try StreamClient(client, "/v1/events", lastID: cursor)
                        let enough = Int.random(in: 1...40)
                        let seen = await stream.wait { seen in
                            seen.events.count >= enough || last.isAmong(seen.events.map(\.id))
                        }
                        stream.leave()
                        ids += seen.events.map(\.id)
                        cursor = ids.last ?? begin
                        if last.isAmong(ids) { return ids }
                    }
                }
            }
            group.addTask {
                try await withThrowingTaskGroup(of: Void.self) { writing in
                    for writer in 0..<writers {
                        writing.addTask {
                            let client = instances[writer % 2].client(app)
                            for number in 0..<each {
                                let made = try await client.put("/v1/persons/w\(writer)-\(number)", "{}")
                                guard made.status == 201 else { throw TestFailure("\(made.status)") }
                                if writer == 0, number == each / 2 {
                                    try TestDatabase.execute(
                                        "select pg_terminate_backend(pid) from pg_stat_activity "
                                            + "where query ilike '%pg_notify(%' and pid <> pg_backend_pid()")
                                }
                            }
                        }
                    }
                    try await writing.waitForAll()
                }
                // The readers end with the log's last event; more are written until they have heard of it.
                var cursor = begin
                while true {
                    let page = try await app.service.get("/v1/events?limit=100&after=\(cursor)")
                    if page.json["data"].array.isEmpty { break }
                    cursor = page.json["nextCursor"].string ?? cursor
                }
                let marked = try await instances[0].client(app).put("/v1/persons/last", "{}")
                guard marked.status == 201 else { throw TestFailure("last") }
                let tail = try await app.service.get("/v1/events?limit=100&after=\(cursor)")
                let end = tail.json["nextCursor"].string
                last.set(end)
                // One more, so that a reader who had the end already looks again.
                _ = try await instances[1].client(app).put("/v1/persons/after", "{}")
                return nil
            }
            var lists: [[String]] = []
            for try await list in group { if let list { lists.append(list) } }
            return lists
        }
        let end = last.id
        #expect(lists.count == 3)
        for list in lists {
            let upToEnd = list.firstIndex { $0 == end }.map { Array(list[...$0]) } ?? []
            #expect(upToEnd.count == writers * each + 1)
            let numbers = upToEnd.compactMap { $0.split(separator: "_").last.flatMap { Int($0) } }
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "a gap or a repeat")
            #expect(upToEnd == Array(lists[0].prefix(upToEnd.count)))
        }
        // Both listeners stand again.
        for instance in instances { try await instance.listening() }
        for instance in instances { await instance.stop() }
    }
}
