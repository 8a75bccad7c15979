/// The name of an app's log for cursors: another history gets another name.
enum FeedID {
    /// 12 of `a-z` and `0-9`: about 62 random bits.
    static func random() -> String {
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        var generator = SystemRandomNumberGenerator()
        return String((0..<12).compactMap { _ in digits.randomElement(using: &generator) })
    }
}
