/// A store whose word about consent is taken; the names are the API's and the database's.
package enum StoreName: String, Sendable, Hashable, CaseIterable {
    case appStore, playStore
}
