import Consent
import Testing

@testable import Representation

/// The body of a request for a key.
struct KeyBodyTests {
    private func pointers(_ body: String) -> [String]? {
        do throws(BodyRefusal) {
            _ = try PostedKey(body: Array(body.utf8))
            return nil
        } catch {
            guard case .unacceptable(let fields) = error else { return [] }
            return fields.errors.map(\.pointer).sorted()
        }
    }

    @Test func roleAndLabel() throws {
        let key = try PostedKey(body: Array(#"{"role":"viewer"}"#.utf8))
        #expect(key.role == .viewer && key.label == "" && key.rateLimit == nil)
        #expect(pointers(#"{"role":"admin","label":7}"#) == ["/label", "/role"])
    }

    @Test func rateLimit() throws {
        let key = try PostedKey(body: Array(#"{"role":"viewer","rateLimit":{"requests":1000000,"seconds":3600}}"#.utf8))
        #expect(key.rateLimit == RateLimit(requests: 1_000_000, seconds: 3_600))
        #expect(try PostedKey(body: Array(#"{"role":"viewer","rateLimit":null}"#.utf8)).rateLimit == nil)
        for (limit, wrong) in [
            (#"{"requests":0,"seconds":3601}"#, ["/rateLimit/requests", "/rateLimit/seconds"]),
            (#"{"requests":1000001,"seconds":0}"#, ["/rateLimit/requests", "/rateLimit/seconds"]),
            (#"{"requests":1}"#, ["/rateLimit/seconds"]),
            (#"{"requests":1,"seconds":1,"burst":1}"#, ["/rateLimit/burst"]), ("5", ["/rateLimit"]),
        ] {
            #expect(pointers(#"{"role":"viewer","rateLimit":\#(limit)}"#) == wrong, "\(limit)")
        }
    }
}
