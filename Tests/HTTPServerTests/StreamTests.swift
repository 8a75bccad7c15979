import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// Answers that are sent as they come: order, end, clients that leave or do not keep up, and the server's own end.
@Suite(.timeLimit(.minutes(2))) struct StreamTests {
    /// A responder that answers every request with a stream and hands it to the test.
    private final class Streams: Sendable {
        struct State {
            var open: [BodyStream] = []
            var endings: [BodyStream.Ending] = []
            var waiters: [(opened: Int, ended: Int, resume: CheckedContinuation<Void, Never>)] = []
        }

        let state = Mutex(State())
        private let limit: Int

        init(limit: Int = 1 << 20) { self.limit = limit }

        var responder: TestResponder {
            TestResponder { [self] request in
                if request.path == ["plain"] { return await TestResponder.echo(request) }
                let stream = BodyStream(limit: limit) { [self] ending in
                    notify { $0.endings.append(ending) }
                }
                stream.write(Array("hello\n".utf8))
                notify { $0.open.append(stream) }
                return Response(status: 200, headers: [HeaderField("Content-Type", "text/plain")], stream: stream)
            }
        }

        private func notify(_ change: (inout State) -> Void) {
            let due = state.withLock { state in
                change(&state)
                let due = state.waiters.filter { $0.opened <= state.open.count && $0.ended <= state.endings.count }
                state.waiters.removeAll { $0.opened <= state.open.count && $0.ended <= state.endings.count }
                return due
            }
            for waiter in due { waiter.resume.resume() }
        }

        /// Waits until so many streams have begun, and so many ended.
        private func happened(_ opened: Int, _ ended: Int) async {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    if state.open.count >= opened, state.endings.count >= ended { return true }
                    state.waiters.append((opened, ended, continuation))
                    return false
                }
                if ready { continuation.resume() }
            }
        }

        func opened(_ count: Int) async -> [BodyStream] {
            await happened(count, 0)
            return state.withLock { $0.open }
        }

        func ended(_ count: Int) async -> [BodyStream.Ending] {
            await happened(0, count)
            return state.withLock { $0.endings }
        }
    }

    /// What chunks hold; nil where the last one is missing.
    private static func unchunked(_ text: String) -> (whole: Bool, text: String) {
        var rest = Array(text.utf8)[...]
        var found: [UInt8] = []
        while let end = rest.firstIndex(of: 13) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { break }
            if size == 0 { return (true, String(decoding: found, as: UTF8.self)) }
            let first = end + 2
            guard rest.endIndex >= first + size + 2 else { break }
            found += rest[first..<first + size]
            rest = rest[(first + size + 2)...]
        }
        return (false, String(decoding: found, as: UTF8.self))
    }

    private static let ask = "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func whatIsWrittenArrivesInOrderAndTheConnectionLivesOn() async throws {
        let streams = Streams()
        try await withServer(streams.responder) { server, port in
            async let text = offPool {
                let client = try RawClient(port: port)
                client.send(Self.ask + "GET /plain HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                let reply = try client.reply()
                #expect(reply?["Transfer-Encoding"] == "chunked")
                #expect(reply?["Content-Length"] == nil)
                return try client.rest()
            }
            let stream = try #require(await streams.opened(1).first)
            for number in 1...500 {
                #expect(stream.write(Array("line \(number)\n".utf8)))
                if number % 50 == 0 { await Task.yield() }
            }
            stream.finish()
            #expect(!stream.write(Array("too late".utf8)))
            let (whole, got) = Self.unchunked(try await text)
            #expect(whole)
            #expect(got == "hello\n" + (1...500).map { "line \($0)\n" }.joined())
            #expect(try await text.hasSuffix("GET [plain] [] "))
            #expect(await streams.ended(1) == [.finished])
            #expect(server.statistics.suspended == 0)
        }
    }

    @Test func aWriteLargerThanTheConnectionsMemoryArrivesWhole() async throws {
        let streams = Streams(limit: 4 << 20)
        try await withServer(streams.responder) { _, port in
            async let text = offPool {
                let client = try RawClient(port: port)
                client.send(Self.ask + "GET /plain HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                _ = try client.reply()
                return try client.rest()
            }
            let stream = try #require(await streams.opened(1).first)
            let large = [UInt8](repeating: 120, count: 1_000_000)
            #expect(stream.write(large))
            #expect(stream.write(large))
            stream.finish()
            let (whole, got) = Self.unchunked(try await text)
            #expect(whole)
            #expect(got.utf8.count == 2_000_006)
            #expect(stream.taken == 2_000_006)
        }
    }

    @Test func aClientThatLeftIsNoticedAtTheNextWrites() async throws {
        let streams = Streams()
        try await withServer(streams.responder) { server, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send(Self.ask)
                _ = try client.reply()
            }
            let stream = try #require(await streams.opened(1).first)
            // The first write after the end is answered with a reset, which a later one finds.
            while stream.write(Array(":\n\n".utf8)) { try await Task.sleep(for: .milliseconds(5)) }
            #expect(await streams.ended(1) == [.clientGone])
            #expect(server.statistics.suspended == 0)
        }
    }

    @Test func aReaderWhoDoesNotKeepUpIsCutOffWithoutTheEnd() async throws {
        let streams = Streams(limit: 100_000)
        try await withServer(streams.responder) { _, port in
            let client = try RawClient(port: port)
            client.send(Self.ask)
            let stream = try #require(await streams.opened(1).first)
            let piece = [UInt8](repeating: 97, count: 10_000)
            var written = 0
            while stream.write(piece) {
                written += 1
                if written % 100 == 0 { await Task.yield() }
            }
            #expect(await streams.ended(1) == [.tooSlow])
            let text = try await offPool {
                _ = try client.reply()
                return try client.rest()
            }
            #expect(!Self.unchunked(text).whole)
        }
    }

    @Test func aWriterWhoWaitsForRoomNeverOverruns() async throws {
        let streams = Streams(limit: 64 * 1024)
        try await withServer(streams.responder) { server, port in
            let total = 8 << 20
            async let text = offPool {
                let client = try RawClient(port: port)
                client.send(Self.ask.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
                _ = try client.reply()
                return try client.rest()
            }
            let stream = try #require(await streams.opened(1).first)
            let piece = [UInt8](repeating: 97, count: 16 * 1024)
            for _ in 0..<(total / piece.count) {
                #expect(await stream.room())
                #expect(stream.write(piece))
            }
            stream.finish()
            #expect(await !stream.room())
            let (whole, got) = Self.unchunked(try await text)
            #expect(whole && got.utf8.count == total + 6)
            #expect(await streams.ended(1) == [.finished])
        }
    }

    @Test func aWriterWhoWaitsHearsOfTheEnd() async throws {
        let stream = BodyStream(limit: 100)
        #expect(await stream.room())
        stream.write([UInt8](repeating: 0, count: 80))
        async let room = stream.room()
        await Task.yield()
        stream.finish()
        #expect(await !room)
        let cut = BodyStream(limit: 100)
        cut.write([UInt8](repeating: 0, count: 80))
        async let another = cut.room()
        await Task.yield()
        cut.close(sent: false)
        #expect(await !another)
    }

    @Test func aReaderWhoTakesNothingForTooLongIsCutOff() async throws {
        let streams = Streams(limit: 64 << 20)
        try await withServer(streams.responder, { $0.sendTimeout = .milliseconds(200) }) { _, port in
            let client = try RawClient(port: port)
            client.send(Self.ask)
            let stream = try #require(await streams.opened(1).first)
            #expect(stream.write([UInt8](repeating: 97, count: 32 << 20)))
            #expect(await streams.ended(1) == [.tooSlow])
            #expect(!stream.write([97]))
        }
    }

    @Test func aStreamWithNothingToSayOutlivesEveryTimeLimit() async throws {
        let streams = Streams()
        try await withServer(
            streams.responder,
            {
                $0.sendTimeout = .milliseconds(50)
                $0.totalTimeout = .milliseconds(500)
                $0.idleTimeout = .milliseconds(100)
            }
        ) { _, port in
            async let text = offPool {
                let client = try RawClient(port: port)
                client.send(Self.ask)
                _ = try client.reply()
                return try client.rest()
            }
            let stream = try #require(await streams.opened(1).first)
            try await Task.sleep(for: .milliseconds(1_000))
            #expect(stream.write(Array("still here".utf8)))
            stream.finish()
            #expect(try await Self.unchunked(text).text == "hello\nstill here")
        }
    }

    @Test func stoppingEndsStreamsAfterWhatWasWritten() async throws {
        let streams = Streams()
        try await withServer(streams.responder) { server, port in
            async let texts = withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await offPool {
                            let client = try RawClient(port: port)
                            client.send(Self.ask)
                            _ = try client.reply()
                            return try client.rest()
                        }
                    }
                }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            for stream in await streams.opened(50) { #expect(stream.write(Array("last words".utf8))) }
            await server.stop(grace: .seconds(20))
            for text in try await texts {
                let (whole, got) = Self.unchunked(text)
                #expect(whole)
                #expect(got == "hello\nlast words")
            }
            #expect(await streams.ended(50).allSatisfy { $0 == .finished })
        }
    }

    @Test func headGetsTheHeadersOfAStreamAndNoBody() async throws {
        let streams = Streams()
        try await withServer(streams.responder) { _, port in
            try await offPool {
                let client = try RawClient(port: port)
                client.send("HEAD /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                #expect(try client.reply(toHead: true)?.status == 200)
                try client.expectEnd()
            }
            #expect(await streams.ended(1) == [.finished])
        }
    }

    @Test func aStreamThatComesTooLateHearsOfIt() async throws {
        let gate = Gate()
        let ending = Mutex<BodyStream.Ending?>(nil)
        let responder = TestResponder { _ in
            await gate.pass()
            return Response(status: 200, stream: BodyStream(limit: 100) { how in ending.withLock { $0 = how } })
        }
        try await withServer(responder, { $0.totalTimeout = .milliseconds(100) }) { _, port in
            let reply = try await offPool {
                let client = try RawClient(port: port)
                client.send(Self.ask)
                return try client.reply()
            }
            #expect(reply?.status == 503)
            gate.open()
            while ending.withLock({ $0 }) == nil { await Task.yield() }
            #expect(ending.withLock { $0 } == .clientGone)
        }
    }

    /// Many readers, several writers, clients that leave in the middle: whoever stays gets everything once and in order.
    @Test func manyReadersUnderManyWritersMissNothing() async throws {
        let streams = Streams()
        let readers = 120
        try await withServer(streams.responder) { server, port in
            async let texts = withThrowingTaskGroup(of: (leaves: Bool, text: String).self) { group in
                for number in 0..<readers {
                    group.addTask {
                        try await offPool {
                            let client = try RawClient(port: port)
                            client.send(Self.ask)
                            _ = try client.reply()
                            if number % 4 == 0 {
                                client.reset()
                                return (true, "")
                            }
                            return (false, try client.rest())
                        }
                    }
                }
                return try await group.reduce(into: [(leaves: Bool, text: String)]()) { $0.append($1) }
            }
            let open = await streams.opened(readers)
            await withTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0..<500 {
                            let line = Array("\(writer) \(number)\n".utf8)
                            for stream in open { stream.write(line) }
                            if number % 16 == 0 { await Task.yield() }
                        }
                    }
                }
            }
            for stream in open { stream.finish() }
            await server.stop(grace: .seconds(20))
            for (leaves, text) in try await texts where !leaves {
                let (whole, got) = Self.unchunked(text)
                #expect(whole)
                var next = [0, 0, 0, 0]
                for line in got.split(separator: "\n").dropFirst() {
                    let parts = line.split(separator: " ").compactMap { Int($0) }
                    guard parts.count == 2, next[parts[0]] == parts[1] else {
                        Issue.record("out of order: \(line)")
                        break
                    }
                    next[parts[0]] += 1
                }
                #expect(next == [500, 500, 500, 500])
            }
            _ = await streams.ended(readers)
            #expect(server.statistics.suspended == 0)
        }
    }
}
