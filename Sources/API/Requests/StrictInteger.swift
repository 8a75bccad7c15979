/// Decimal integers as this service writes them: digits only, no sign, no leading zero. (`Int("+5")` is 5.)
enum StrictInteger {
    /// Nil for anything else; saturates at `Int.max`.
    static func parse(_ bytes: some Collection<UInt8>) -> Int? {
        guard let first = bytes.first, first != UInt8(ascii: "0") || bytes.count == 1 else { return nil }
        var value = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) = tens.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            value = overflow || tooLarge ? Int.max : sum
        }
        return value
    }
}
