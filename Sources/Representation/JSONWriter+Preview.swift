package import Consent
package import JSON

extension JSONWriter {
    /// What a change would mean for how many persons; every count is there, zero included.
    package mutating func preview(_ preview: ChangePreview, warnings: [DescriptionWarning]) {
        beginObject()
        key("persons")
        integer(preview.persons)
        key("counts")
        beginObject()
        for effect in ChangePreview.Effect.allCases {
            key(escaping: effect.rawValue)
            integer(preview.counts[effect] ?? 0)
        }
        endObject()
        key("warnings")
        self.warnings(warnings)
        endObject()
    }
}
