/// A marketing version or build number that could be read: dot-separated numbers, compared one by one.
///
/// `1.10` is after `1.9` and the same as `1.10.0`. Marketing versions and build numbers are read alike but count
/// different things: comparing one with the other means nothing.
package struct VersionNumber: Sendable, Hashable, Comparable {
    /// Without zeros at the end, which say nothing.
    private let components: [UInt64]

    /// Nil for anything but numbers and dots: a sign, a letter, a blank, an empty component, a number beyond 64 bits.
    package init?(_ text: String) {
        var components: [UInt64] = []
        var number: UInt64?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (tens, tooManyTens) = (number ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, tooMuch) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                if tooManyTens || tooMuch { return nil }
                number = sum
            case UInt8(ascii: "."):
                guard let complete = number else { return nil }
                components.append(complete)
                number = nil
            default:
                return nil
            }
        }
        guard let last = number else { return nil }
        components.append(last)
        while components.last == 0 { components.removeLast() }
        self.components = components
    }

    package static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }
}
