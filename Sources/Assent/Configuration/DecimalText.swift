/// Decimal numbers as people write them in settings: digits only, since `Int("+5")` and `Int("-0")` parse.
enum DecimalText {
    static func parse(_ text: some StringProtocol) -> Int? {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Splits `10s` into 10 and `s`; the unit may be empty.
    static func parseWithUnit(_ text: String) -> (number: Int, unit: Substring)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = parse(digits) else { return nil }
        return (number, text[digits.endIndex...])
    }
}
