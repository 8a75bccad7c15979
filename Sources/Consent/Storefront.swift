/// A store's country or region by the three letters the vendor names it with (ISO 3166-1 alpha-3), such as `AUS`.
package struct Storefront: Sendable, Hashable, Comparable {
    package let code: String

    /// Takes text that was checked already (a row of our own database).
    package init(trusted code: String) {
        self.code = code
    }

    /// Nil unless the text is three letters `A` to `Z`.
    package init?(_ code: String) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else { return nil }
        self.code = code
    }

    /// The code in lower case, as ids hold it.
    var lowercased: String {
        String(decoding: code.utf8.map { $0 | 0x20 }, as: UTF8.self)
    }

    package static func < (left: Storefront, right: Storefront) -> Bool {
        left.code.precedesInBytes(right.code)
    }
}
