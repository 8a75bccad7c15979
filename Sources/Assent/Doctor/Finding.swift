/// One line of what the doctor found.
struct Finding: Sendable, Hashable {
    enum Grade: String, Sendable {
        case fine = "ok  "
        /// Works, and may surprise somebody.
        case odd = "odd "
        /// Keeps the server from running, or from keeping its promises.
        case bad = "BAD "
    }

    let grade: Grade
    let sentence: String

    static func fine(_ sentence: String) -> Finding { Finding(grade: .fine, sentence: sentence) }
    static func odd(_ sentence: String) -> Finding { Finding(grade: .odd, sentence: sentence) }
    static func bad(_ sentence: String) -> Finding { Finding(grade: .bad, sentence: sentence) }

    var line: String { "\(grade.rawValue) \(sentence)" }
}
