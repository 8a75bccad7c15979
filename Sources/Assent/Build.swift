/// What this binary is.
enum Build {
    /// Semantic version of the release.
    static let version = "0.1.0"
}
