import Synchronization

/// Counts answers by HTTP status; any thread may count, nothing is locked.
final class StatusCounters: Sendable {
    /// The statuses this server answers with; the rest share the last place. 0: nothing was answered.
    static let known = [
        0, 200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414, 415, 422, 428, 429,
        431, 500,
        501, 503, 505,
    ]
    private static let places: [UInt8] = {
        var places = [UInt8](repeating: UInt8(known.count), count: 600)
        for (place, status) in known.enumerated() { places[status] = UInt8(place) }
        return places
    }()

    private let counts = InlineArray<32, Atomic<Int>> { _ in Atomic(0) }

    func count(_ status: Int) {
        let place = Self.places.indices.contains(status) ? Int(Self.places[status]) : Self.known.count
        counts[place].wrappingAdd(1, ordering: .relaxed)
    }

    /// Each status that occurred, with its count; `other` for those not listed.
    var reading: [(status: String, count: Int)] {
        (0...Self.known.count).compactMap { place in
            let count = counts[place].load(ordering: .relaxed)
            guard count > 0 else { return nil }
            return (place < Self.known.count ? "\(Self.known[place])" : "other", count)
        }
    }
}
