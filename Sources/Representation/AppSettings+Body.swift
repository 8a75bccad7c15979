package import Consent
import JSON

extension AppSettings {
    /// Reads the body of `PUT /v1/apps/{app}`; a missing policy member returns to its default.
    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let name = body.name("name", bytes: 1...200)
            let bundleID = body.string(
                "bundleId", .optional, mustBe: "must be a bundle id such as \"com.example.reader\", at most 155 bytes"
            ) { BundleID.isValid($0) ? $0 : nil }
            let appAppleID = body.string(
                "appAppleId", .optional, mustBe: "must be a positive 64-bit number, as a string of digits"
            ) {
                AppAppleID.isValid($0) ? $0 : nil
            }
            let environments = body.array(
                "environments", .optional, count: 1...OriginalVersion.Environment.allCases.count
            ) {
                $0.enumeration(of: OriginalVersion.Environment.self)
            }
            let origins = body.array("allowedOrigins", .optional, count: 0...50) { origin in
                origin.string(
                    mustBe:
                        "must be a web origin as a browser sends it, such as \"https://app.example\""
                ) { Origin.isValid($0) ? $0 : nil }
            }
            let policy = body.object("policy", .optional) { Policy($0) }
            guard let name else { return nil }
            return AppSettings(
                name: name, bundleID: bundleID, appAppleID: appAppleID,
                environments: environments.map(AppSettings.set) ?? [.production],
                allowedOrigins: Names.sortedSet(origins ?? []), policy: policy ?? Policy())
        }
    }

    /// In the order of the cases, without repeats.
    private static func set(_ environments: [OriginalVersion.Environment]) -> [OriginalVersion.Environment] {
        OriginalVersion.Environment.allCases.filter(environments.contains)
    }
}
