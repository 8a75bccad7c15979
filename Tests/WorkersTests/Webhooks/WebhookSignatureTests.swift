import Crypto
import Testing

@testable import Workers

@Suite struct WebhookSignatureTests {
    private static let keys = ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"].compactMap {
        Base64.decode($0)
    }

    private func header(_ keys: [[UInt8]], body: String = #"{"test": 2432232314}"#) throws -> String {
        try WebhookSignature.header(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array(body.utf8), keys: keys)
    }

    /// The first is the example that the specification's libraries test themselves by.
    @Test func signsAsTheSpecificationSays() throws {
        #expect(try header(Array(Self.keys.prefix(1))) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(try header(Array(Self.keys.suffix(1))) == "v1,78nXHjpFP0tVJQW5D0SBwmVyyW87BV/rL6MgfM/Bw44=")
    }

    @Test func signsByEveryKeyInOrder() throws {
        let both = try Self.keys.map { try header([$0]) }.joined(separator: " ")
        #expect(try header(Self.keys) == both)
        #expect(try header([]) == "")
    }

    @Test func signsTheVeryBytes() throws {
        let texts = try ["", "{}", "{} ", "é", "e\u{301}"].map { try header(Self.keys, body: $0) }
        #expect(Set(texts).count == texts.count)
    }
}
