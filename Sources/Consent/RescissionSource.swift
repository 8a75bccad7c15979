/// Who told of a rescission.
package enum RescissionSource: String, Sendable, Hashable, CaseIterable {
    /// The caller's own service, at the moment it said so.
    case service
    /// A store, by a notice.
    case appStore, playStore

    package init(_ store: StoreName) {
        switch store {
        case .appStore: self = .appStore
        case .playStore: self = .playStore
        }
    }
}
