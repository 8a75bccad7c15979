import Foundation
import HTTPServer
import Postgres
import Store
import Testing
@testable import Workers

@testable import Assent

/// Log lines: one JSON object each, nothing of a person in them, none written by a thread that has better things to do.
struct LogTests {
    private static func record(_ status: Int, ending: ExchangeRecord.Ending = .answered) -> ExchangeRecord {
        ExchangeRecord(
            method: .post, route: "/v1/questions", status: status, micros: 1_234, bytesIn: 10, bytesOut: 20, id: "r-1",
            ending: ending)
    }

    private static let all: [Observation] = [
        .starting(settings: [("port", "1"), ("database-url", "postgresql://u:***@h/x")]),
        .strangeVariable(name: "ASSENT_PROT", near: ["ASSENT_PORT"]),
        .cluster(.started(process: 7)), .cluster(.ended(status: 137)), .cluster(.cannotStart),
        .waitingForDatabase(.database(DatabaseError(.cannotConnect, detail: "no \"host\""))),
        .databaseFault(sqlState: "42P01", route: "/v1/questions", requestID: "r-1"),
        .swept(.success(Sweeper.Report())), .swept(.failure(.broken(sqlState: "XX000"))),
        .cancelledWithdrawn(.success(4)), .cancelledWithdrawn(.failure(.unavailable)), .reminded(.success(1)),
        .reminded(.failure(.unavailable)), .pruned(.success(.init(kind: .events, rows: 3))),
        .pruned(.failure(.unavailable)),
        .migrated([1, 2]),
        .listening(.init(address: "::", port: 1, tls: true, connectionLimit: 2, openFiles: 3)),
        .request(record(200)), .request(record(503, ending: .timedOut)),
        .pool(name: "write", .batch(items: 1, waited: .zero, took: .zero)),
        .pool(name: "write", .committed(after: .zero)),
        .pool(name: "write", .retried(DatabaseError(.server, sqlState: "40001", detail: "secret"))),
        .pool(name: "write", .halved(items: 2, DatabaseError(.server, sqlState: "23505", detail: "secret"))),
        .pool(name: "write", .failed(items: 2, .poisoned(DatabaseError(.server, detail: "secret")))),
        .pool(name: "write", .connected(afterFailures: 1)),
        .pool(name: "write", .refused(DatabaseError(.cannotConnect, detail: "no such host"))),
        .pool(name: "write", .lost(DatabaseError(.connectionLost, detail: "secret"))),
        .pool(name: "write", .outcome(.unknown)),
        .stopping(signal: 15), .stopped, .failed("why"),
    ]

    @Test(arguments: all.indices)
    func everyObservationMakesOneJSONObject(index: Int) throws {
        let line = Self.all[index].line(.info)
        #expect(!line.contains(0x0a))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(object["level"] as? String == "info")
        #expect((object["event"] as? String)?.isEmpty == false)
        #expect((object["time"] as? String)?.hasSuffix("Z") == true)
        #expect(!String(decoding: line, as: UTF8.self).contains("secret"))
    }

    @Test(arguments: all.indices)
    func everyEventIsInTheManual(index: Int) throws {
        let observation = Self.all[index]
        guard let level = observation.level(.all) else { return }
        let object = try JSONSerialization.jsonObject(with: Data(observation.line(level))) as? [String: Any]
        let event = try #require(object?["event"] as? String)
        let manual = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/operation.md")
        #expect(try String(contentsOf: manual, encoding: .utf8).contains("`\(event)`"), "\(event)")
    }

    @Test func aRequestTellsRouteStatusAndTime() throws {
        let line = Observation.request(Self.record(201)).line(.info)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(object["id"] as? String == "r-1")
        #expect(object["route"] as? String == "/v1/questions")
        #expect(object["status"] as? Int == 201)
        #expect(object["ms"] as? Double == 1.234)
        #expect(object["ending"] == nil)
    }

    @Test func theAccessLogCanBeNarrowed() {
        let fine = Observation.request(Self.record(404))
        let failed = Observation.request(Self.record(500))
        #expect(fine.level(.all) == .info)
        #expect(fine.level(.failures) == nil)
        #expect(failed.level(.failures) == .warning)
        #expect(failed.level(.none) == nil)
    }

    @Test func theSinkWritesEveryLineInOrder() throws {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        for number in 0..<100 { sink.append(Array("\(number)".utf8)) }
        sink.flush()
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.split(separator: "\n").map { Int($0) } == (0..<100).map { $0 })
    }

    @Test func aSinkThatNobodyReadsDropsAndCounts() throws {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor, capacity: 200_000)
        let line = [UInt8](repeating: 0x78, count: 999)
        // Six hundred kilobytes: what the pipe takes (64 KiB), the sink has in hand and the buffer holds is less.
        for _ in 0..<600 { sink.append(line) }
        let reader = pipe.fileHandleForReading
        var text = ""
        while !text.contains("log.dropped") {
            text += String(decoding: reader.availableData, as: UTF8.self)
        }
        #expect(text.contains("\"lines\":"))
    }
}
