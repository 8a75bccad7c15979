extension EventType {
    /// The types a name stands for: its own, or where it ends in `.*` all that begin with what comes before that; empty for a name
    /// that stands for none.
    package static func named(_ name: some Sequence<UInt8>) -> Set<EventType> {
        let name = Array(name)
        let isFamily = name.count > 2 && name.suffix(2).elementsEqual(".*".utf8)
        return Set(
            allCases.filter { type in
                let text = type.rawValue.utf8
                return isFamily ? text.starts(with: name.dropLast()) : text.elementsEqual(name)
            })
    }
}
