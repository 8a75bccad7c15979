import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// Streams that are written to, ended, cut and left from several threads at once, while the loop suspends and resumes them. Short
/// here; under the thread sanitizer (`make sanitize`) it is what finds a lock that is missing.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StreamRaceTests {
    private static let rounds = getenv("ASSENT_RACE_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 2

    private struct Tally {
        var opened = 0
        var endings: [Int] = []
    }

    /// What becomes of a stream.
    private enum Fate: CaseIterable {
        /// Its writers end it.
        case finished
        /// More is written than its reader may leave waiting.
        case flooded
        /// Somebody throws away what waits.
        case cut
        /// Nobody ends it: its client or the server does.
        case open
    }

    private static func drive(_ stream: BodyStream, _ fate: Fate) {
        let pieces = Int.random(in: 1...40)
        for writer in 0..<2 {
            Task.detached {
                for number in 0..<pieces {
                    let size = fate == .flooded ? 2_000 : Int.random(in: 1...300)
                    if writer == 0, number % 8 == 7, await !stream.room() { return }
                    if !stream.write([UInt8](repeating: 97, count: size)) { return }
                    if number % 3 == 0 { await Task.yield() }
                }
                switch fate {
                case .finished, .flooded: stream.finish()
                case .cut: stream.cut(.tooSlow)
                case .open: break
                }
            }
        }
    }

    @Test(arguments: 0..<rounds) func everyStreamEndsOnceWhateverHappens(_ round: Int) async throws {
        let tally = Mutex(Tally())
        let responder = TestResponder { request in
            let number = tally.withLock { tally in
                tally.opened += 1
                tally.endings.append(0)
                return tally.opened - 1
            }
            let stream = BodyStream(limit: 16_000) { _ in tally.withLock { $0.endings[number] += 1 } }
            Self.drive(stream, Fate.allCases[number % Fate.allCases.count])
            if number % 5 == 0 { await Task.yield() }
            return Response(status: 200, stream: stream)
        }
        try await withServer(responder, grace: .seconds(20)) { server, port in
            await withTaskGroup(of: Void.self) { group in
                for client in 0..<40 {
                    group.addTask {
                        // Once the server stops, nobody gets in any more.
                        try? await offPool {
                            for turn in 0..<6 {
                                let socket = try RawClient(port: port)
                                socket.send("GET /\(client)/\(turn) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                                let number = (client + turn) % 4
                                if number < 2 {
                                    if number == 0 { socket.reset() }
                                    continue
                                }
                                _ = try socket.reply()
                                // Streams that nobody ends are read to their end only where the server stops.
                                if number == 2, turn == 5, round % 2 == 1 { _ = try socket.rest() }
                            }
                        }
                    }
                }
                if round % 2 == 1 {
                    while tally.withLock({ $0.opened }) < 100 { await Task.yield() }
                    await server.stop(grace: .seconds(20))
                }
            }
            await server.stop(grace: .seconds(20))
            #expect(server.statistics.suspended == 0)
        }
        let (opened, endings) = tally.withLock { ($0.opened, $0.endings) }
        #expect(opened >= 100)
        #expect(endings.allSatisfy { $0 == 1 }, "\(endings.filter { $0 != 1 }.count) of \(opened) did not end once")
    }
}
