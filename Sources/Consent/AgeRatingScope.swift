/// What one baseline of an app's age rating is about: a storefront and an environment.
package struct AgeRatingScope: Sendable, Hashable, Comparable {
    package let storefront: Storefront
    package let environment: OriginalVersion.Environment

    package init(storefront: Storefront, environment: OriginalVersion.Environment) {
        self.storefront = storefront
        self.environment = environment
    }

    /// What the ids of changes that a rating of this scope opens begin with.
    package var changePrefix: String { "age-rating-\(storefront.lowercased)-" }

    package static func < (left: AgeRatingScope, right: AgeRatingScope) -> Bool {
        left.storefront != right.storefront
            ? left.storefront < right.storefront
            : left.environment.rawValue.precedesInBytes(right.environment.rawValue)
    }
}
