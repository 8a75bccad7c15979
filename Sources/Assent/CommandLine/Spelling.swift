/// Finds what somebody probably meant to type.
enum Spelling {
    /// The candidates within two edits (one for short words) of the word, nearest first, at most two.
    static func near(_ word: String, among candidates: [String]) -> [String] {
        let limit = word.utf8.count <= 4 ? 1 : 2
        return
            candidates
            .map { (candidate: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
            .filter { $0.distance <= limit || ($0.candidate.hasPrefix(word) && word.utf8.count >= 5) }
            .sorted { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }
            .prefix(2)
            .map(\.candidate)
    }

    /// Insertions, deletions, replacements and swaps of neighbours it takes to make one of the other.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let same = left[row] == right[column]
                var best = min(previous[column] + (same ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
