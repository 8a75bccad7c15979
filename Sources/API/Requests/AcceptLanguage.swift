import Consent
import HTTPServer

/// `Accept-Language` (RFC 9110 §12.5.4): which languages somebody reads.
enum AcceptLanguage {
    /// More are not looked at: nobody reads so many.
    private static let most = 32

    /// The languages wanted, the dearest first and equal ones as they were sent. What is not well-formed, `*` and what
    /// is refused (`q=0`) name none: the header is a wish, and without it there is a text as well.
    static func languages(_ headers: Headers) -> [String] {
        var wishes: [(language: String, weight: Int)] = []
        for field in headers.all("Accept-Language") {
            for element in field.utf8.split(separator: UInt8(ascii: ",")) {
                guard let wish = wish(element), wish.weight > 0 else { continue }
                // The order of equals is kept: each goes behind all that are not less.
                let place = wishes.lastIndex { $0.weight >= wish.weight }.map { $0 + 1 } ?? 0
                if place < most { wishes.insert(wish, at: place) }
                if wishes.count > most { wishes.removeLast() }
            }
        }
        return wishes.map(\.language)
    }

    /// A language range and its weight in thousandths.
    private static func wish(_ element: Substring.UTF8View) -> (language: String, weight: Int)? {
        let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
        guard let range = parts.first, let language = String(range), LanguageTag.isValid(language) else { return nil }
        switch parts.count {
        case 1: return (language, 1_000)
        case 2: return weight(parts[1]).map { (language, $0) }
        default: return nil
        }
    }

    /// `q=0.7`: 0 to 1 with at most three decimals.
    private static func weight(_ parameter: Substring.UTF8View) -> Int? {
        guard let name = parameter.first, name | 0x20 == UInt8(ascii: "q"),
            parameter.dropFirst().first == UInt8(ascii: "=")
        else { return nil }
        let value = parameter.dropFirst(2)
        guard let whole = value.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1") else { return nil }
        var thousandths = whole == UInt8(ascii: "1") ? 1_000 : 0
        let fraction = value.dropFirst()
        guard let point = fraction.first else { return thousandths }
        guard point == UInt8(ascii: "."), fraction.count <= 4 else { return nil }
        var unit = 100
        for digit in fraction.dropFirst() {
            guard (0x30...0x39).contains(digit) else { return nil }
            thousandths += Int(digit - 0x30) * unit
            unit /= 10
        }
        return thousandths <= 1_000 ? thousandths : nil
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }
}
