package import Consent
import JSON

extension PersonFacts {
    /// Reads the body of `PUT /v1/persons/{person}`; what is not told is not known.
    package init(body: [UInt8]) throws(BodyRefusal) {
        self = try JSONDocument.object(in: body) { body in
            let ageRange = body.value("ageRange", .optional)?.ageRange()
            let duties = body.value("requiredRegulatoryFeatures", .optional)?.duties()
            let original = body.object("original", .optional) { $0.original() }
            let region = body.string(
                "region", .optional, mustBe: "must be a string of 1 to 16 letters, digits and hyphens"
            ) { Region.isValid($0) ? $0 : nil }
            return PersonFacts(
                ageRange: ageRange ?? .notTold, duties: duties ?? .notTold, original: original, region: region)
        }
    }
}

extension ValueReader {
    fileprivate func ageRange() -> AgeRange? {
        guard kind == .object else {
            return string(mustBe: #"must be an object or "declined""#) {
                $0.utf8.elementsEqual("declined".utf8) ? .declined : nil
            }
        }
        return object { range in
            let lower = range.integer("lowerBound", .optional, in: AgeRange.bounds)
            let upper = range.integer("upperBound", .optional, in: AgeRange.bounds)
            let declaration = range.name("declaration", .optional, bytes: 1...64)
            if !AgeRange.agree(lower: lower, upper: upper) {
                range.refuse("lowerBound", "must not be above upperBound")
            }
            return .range(lower: lower, upper: upper, declaration: declaration)
        }
    }

    fileprivate func duties() -> RegulatoryFeatures? {
        guard kind == .array else {
            return string(mustBe: #"must be an array, "unavailable" or "unsupported""#) { text in
                if text.utf8.elementsEqual("unavailable".utf8) { return .unavailable }
                return text.utf8.elementsEqual("unsupported".utf8) ? .unsupported : nil
            }
        }
        let names = array(count: 0...50) { $0.featureName() }
        return names.map { .features(Names.sortedSet($0)) }
    }
}

extension ObjectReader {
    fileprivate func original() -> OriginalVersion? {
        let value = name("value", bytes: 1...64)
        let kind = enumeration("kind", of: OriginalVersion.Kind.self)
        let environment = enumeration("environment", of: OriginalVersion.Environment.self)
        guard let value, let kind, let environment else { return nil }
        return OriginalVersion(value: value, kind: kind, environment: environment)
    }
}
