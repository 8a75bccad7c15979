import Consent
import Testing

@Suite struct PlatformTests {
    @Test("nobody asks on tvOS and watchOS, macOS has no sheet, the web has neither")
    func remedies() {
        let rows: [(Platform, ask: Remedy, acknowledge: Remedy)] = [
            (.iOS, .here, .here), (.iPadOS, .here, .here), (.visionOS, .here, .here), (.macOS, .here, .hostedPage),
            (.tvOS, .anotherDevice, .anotherDevice), (.watchOS, .anotherDevice, .anotherDevice),
            (.web, .hostedPage, .hostedPage),
        ]
        #expect(Set(rows.map(\.0)) == Set(Platform.allCases))
        for row in rows {
            #expect(row.0.remedy(for: .askGuardian) == row.ask)
            #expect(row.0.remedy(for: .acknowledge) == row.acknowledge)
            for phase in [AccessDecision.Phase.clear, .awaitingGuardian, .blocked] {
                #expect(row.0.remedy(for: phase) == nil)
            }
        }
    }
}
