import AppStore
import AppStoreTestSupport
import Crypto
import Testing

/// The token's own signature, and the payload it covers.
struct SignatureTests {
    @Test func signatureIsTheLeafs() throws {
        let stranger = try SigningKey(.curve("P-256"))
        try Bench.expectRefusal(.signatureInvalid, "another key") { bench in
            bench.edit = { $0.key = stranger }
        }
    }

    @Test(arguments: 0..<2)
    func signatureCoversHeaderAndPayload(_ part: Int) throws {
        try Bench.expectRefusal(.signatureInvalid, "a changed part") { bench in
            bench.tamper = { text in
                var parts = text.split(separator: ".").map(String.init)
                let bytes = Base64URL.decode(parts[part]) ?? []
                // A blank at the end of JSON changes nothing but the bytes.
                parts[part] = Base64URL.encode(bytes + [0x20])
                return parts.joined(separator: ".")
            }
        }
    }

    @Test func everyBitOfTheSignatureCounts() throws {
        for bit in stride(from: 0, to: 512, by: 37) {
            try Bench.expectRefusal(.signatureInvalid, "bit \(bit)") { bench in
                bench.tamper = { text in
                    var parts = text.split(separator: ".").map(String.init)
                    var signature = Base64URL.decode(parts[2]) ?? []
                    signature[bit / 8] ^= 1 << UInt8(bit % 8)
                    parts[2] = Base64URL.encode(signature)
                    return parts.joined(separator: ".")
                }
            }
        }
    }

    @Test func signatureOfZerosIsNone() throws {
        for byte in [UInt8(0), 0xFF] {
            try Bench.expectRefusal(.signatureInvalid, "all \(byte)") { bench in
                bench.tamper = { text in
                    text.split(separator: ".").prefix(2).joined(separator: ".") + "."
                        + Base64URL.encode([UInt8](repeating: byte, count: 64))
                }
            }
        }
    }

    /// The payload is not looked at before the signature holds: what is in it cannot choose the answer.
    @Test func signatureComesBeforeThePayload() throws {
        var bench = try Bench()
        bench.payload = TestPayload([])
        bench.tamper = { text in
            text.split(separator: ".").prefix(2).joined(separator: ".") + "."
                + Base64URL.encode([UInt8](repeating: 1, count: 64))
        }
        #expect(try bench.judge().refusal?.reason == .signatureInvalid)
    }
}
