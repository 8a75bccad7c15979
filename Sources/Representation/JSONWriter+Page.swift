package import JSON

extension JSONWriter {
    /// A page of a list: its rows, each written by `write`, and where the next page starts, `null` after the last.
    package mutating func page<Row>(
        _ rows: [Row], nextCursor: String?, _ write: (inout JSONWriter, Row) -> Void
    ) {
        beginObject()
        key("data")
        beginArray()
        for row in rows { write(&self, row) }
        endArray()
        key("nextCursor")
        string(nextCursor)
        endObject()
    }
}
