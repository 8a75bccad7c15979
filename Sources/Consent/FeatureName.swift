/// The name of a feature: one that a change covers, or a duty as a device names it.
package enum FeatureName {
    /// Whether a text is 1 to 64 bytes without control characters; which names exist is for the app and the vendor.
    package static func isValid(_ text: String) -> Bool {
        OneLine.isValid(text, bytes: 1...64)
    }
}
