import AppStoreTestSupport
import Foundation
import Testing

@testable import Assent

/// `assent app-store verify`: a signed text explained without a server or a database.
struct AppStoreVerifyTests {
    /// A folder with the root and a text, removed with the last use of it.
    private final class Folder {
        let path = NSTemporaryDirectory() + "assent-verify-\(UUID().uuidString)"

        init(_ files: [String: [UInt8]]) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static let chain = Result { try TestChain() }

    private func run(
        _ text: String, _ flags: String..., roots: Bool = true
    ) async throws -> (code: ExitCode, said: String, complained: String) {
        let folder = try Folder(["root": try Self.chain.get().root.make(), "text": Array(text.utf8)])
        let transcript = Transcript()
        let trust = roots ? ["--app-store-root", "\(folder.path)/root"] : []
        let code = await Program().run(
            ["app-store", "verify"] + trust + flags + ["\(folder.path)/text"],
            in: Surroundings(environment: [:], console: transcript, signals: SignalInbox()))
        return (code, transcript.said, transcript.complained)
    }

    private func token(_ payload: TestPayload = .notification()) throws -> String {
        try Self.chain.get().token(payload.json)
    }

    @Test func everyStepOfAGenuineOneIsShown() async throws {
        let (code, said, _) = try await run(try token(), "--bundle-id", TestPayload.bundle, "--app-apple-id", "41234")
        #expect(code == .success)
        for line in [
            "kind         a notification", "algorithm    ES256", "certificate  leaf: CN=Test Leaf",
            "  issuer     CN=Test Intermediate", "  valid      2025-01-01T00:00:00.000Z until 2027-01-01T00:00:00.000Z",
            "  key        EC prime256v1", "certificate  intermediate: CN=Test Intermediate",
            "certificate  root, ignored: CN=Test Root", "ok   structure", "ok   chain", "ok   signature",
            "ok   payload", "ok   dates", "ok   identity: DID_RENEW about com.example.reader, Production",
        ] {
            #expect(said.split(separator: "\n").contains { $0 == line }, "\(line)\n\(said)")
        }
        #expect(said.contains("  SHA-256    "))
    }

    @Test func failingStepIsNamedAndTheRestNotReached() async throws {
        let stranger = try SigningKey(.curve("P-256"))
        let chain = try Self.chain.get()
        let text = try TestToken(x5c: try chain.x5c(), payload: TestPayload.notification().json, key: stranger).text()
        let (code, said, _) = try await run(text)
        #expect(code == .failure)
        #expect(said.contains("ok   chain\nBAD  signature: signature-invalid: "))
        #expect(said.contains("odd  payload: not reached\nodd  dates: not reached\nodd  identity: not reached\n"))
    }

    @Test func withoutABundleTheTokensOwnWordIsTaken() async throws {
        let inner = try token(.appTransaction())
        let (code, said, _) = try await run(try token(.rescission(carrying: inner)))
        #expect(code == .success)
        #expect(
            said.contains("RESCIND_CONSENT about com.example.reader, Production, app transaction 704289572311402534"))
        #expect(said.contains("by its own word"))
        let (_, alone, _) = try await run(inner)
        #expect(alone.contains("ok   identity: app transaction 704289572311402534 of com.example.reader, Production"))
    }

    @Test func whatDoesNotFitIsNamed() async throws {
        let (code, said, _) = try await run(try token(), "--bundle-id", "com.example.other")
        #expect(code == .failure)
        #expect(
            said.contains(
                "bundle-mismatch: It is about another bundle. (/data/bundleId, expected com.example.other, "
                    + "seen com.example.reader)"))
        let (_, sandbox, _) = try await run(
            try token(), "--bundle-id", TestPayload.bundle, "--environment", "sandbox")
        #expect(sandbox.contains("(/data/environment, expected Sandbox, seen Production)"))
    }

    @Test func jsonAnswersEveryLine() async throws {
        let body = "{\"signedPayload\":\"\(try token())\"}"
        let (code, said, _) = try await run("\(try token())\n\n\(body)\nnonsense\n", "--json")
        #expect(code == .failure)
        let lines = said.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0] == #"{"verdict":"taken","detail":"DID_RENEW about com.example.reader, Production"}"#)
        #expect(lines[1] == lines[0])
        #expect(lines[2].hasPrefix(#"{"verdict":"refused","step":"structure","reason":"token-malformed","#))
    }

    @Test func wrongUseIsSaid() async throws {
        let (code, _, complained) = try await run(try token(), roots: false)
        #expect(code == .usage)
        #expect(complained.contains("--app-store-root"))
        #expect(try await run("a\nb").complained.contains("must hold one signed text; it has 2 lines"))
        #expect(try await run("").complained.contains("it has 0 lines"))
        #expect(try await run("x", "--environment", "moon").code == .usage)
        #expect(try await run("x", "--app-apple-id", "1").complained.contains("need --bundle-id"))
    }
}
