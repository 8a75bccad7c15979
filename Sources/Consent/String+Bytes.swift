/// Comparisons byte for byte: by Swift's own, texts are equal that differ in how their accents are composed. Over the bytes in
/// place, since what goes through `utf8` reads them one call at a time.
extension String {
    package func hasBytes(of other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                for index in left.indices where left[index] != right[index] { return false }
                return true
            }
        }
    }

    package func precedesInBytes(_ other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in left.lexicographicallyPrecedes(right) } }
    }
}
