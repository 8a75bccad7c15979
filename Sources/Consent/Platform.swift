/// Where a person meets the app; the names are the vendor's, and `web` is everywhere else.
package enum Platform: String, Sendable, Hashable, CaseIterable {
    case iOS, iPadOS, macOS, tvOS, watchOS, visionOS, web

    /// Where the next step of a phase can be taken, for somebody who is on this platform; nil where there is none to take.
    ///
    /// The vendor lets nobody ask on tvOS and watchOS, and has no acknowledgment sheet there and on macOS. A Mac and the
    /// web can show a page of the app's own instead.
    package func remedy(for phase: AccessDecision.Phase) -> Remedy? {
        switch phase {
        case .clear, .awaitingGuardian, .blocked:
            return nil
        case .askGuardian:
            switch self {
            case .iOS, .iPadOS, .macOS, .visionOS: return .here
            case .tvOS, .watchOS: return .anotherDevice
            case .web: return .hostedPage
            }
        case .acknowledge:
            switch self {
            case .iOS, .iPadOS, .visionOS: return .here
            case .tvOS, .watchOS: return .anotherDevice
            case .macOS, .web: return .hostedPage
            }
        }
    }
}

/// Where a guardian can be asked or a change acknowledged.
package enum Remedy: String, Sendable, Hashable, CaseIterable {
    /// On this very device, by the vendor's own means.
    case here
    /// On another of the person's devices.
    case anotherDevice
    /// On a page of the app's own.
    case hostedPage
}
