import Consent
import Testing

@testable import API

struct KeyTextTests {
    private let id = Identifier(high: 0x0193_0000_0000_7001, low: 0x8000_0000_0000_0002)
    private let secret = "0123456789-abcdefghij_klmnopqrstuvwxyzABCDE"

    private func parse(_ text: String) -> KeyText? { KeyText(Array(text.utf8)[...]) }

    @Test(arguments: [AppID("reader"), nil])
    func roundTrip(_ app: AppID?) throws {
        let text = KeyText.write(app: app, id: id, secret: secret)
        let parsed = try #require(parse(text))
        #expect(parsed.id == id)
        #expect(parsed.app.elementsEqual((app?.text ?? "").utf8))
        #expect(parsed.secret.elementsEqual(secret.utf8))
    }

    @Test func form() {
        #expect(
            KeyText.write(app: AppID("reader"), id: id, secret: secret)
                == "asnt_reader_01930000000070018000000000000002_\(secret)")
        #expect(KeyText.write(app: nil, id: id, secret: secret).hasPrefix("asnt__0193"))
    }

    @Test func anythingElseIsNone() {
        let good = KeyText.write(app: AppID("reader"), id: id, secret: secret)
        for bad in [
            "", "asnt", "asnt_", "asnt_reader", "ASNT" + good.dropFirst(4), good + "x", String(good.dropLast()),
            "x" + good, good.replacing("_0193", with: "_019G"), good.replacing("_01930000", with: "_0193-000"),
        ] {
            #expect(parse(bad) == nil, "\(bad)")
        }
    }

    @Test func issuedKeysDiffer() throws {
        let one = try IssuedKey(app: AppID("reader"), role: .service, label: "l", at: TestService.wall())
        let other = try IssuedKey(app: AppID("reader"), role: .service, label: "l", at: TestService.wall())
        #expect(one.text != other.text && one.stored.secretHash != other.stored.secretHash)
        let parsed = try #require(parse(one.text))
        #expect(parsed.id == one.stored.id)
        #expect(try parsed.digest().bytes == one.stored.secretHash)
        #expect(one.stored.secretHash.count == 32)
    }
}
