extension Parameters {
    /// Binds an array whose elements `write` adds one by one, without an array in between.
    package mutating func array(of element: PostgresType, _ write: (inout ArrayWriter) -> Void) {
        value { bytes in
            var taken: [UInt8] = []
            swap(&taken, &bytes)
            var writer = ArrayWriter(into: taken, element: element)
            write(&writer)
            bytes = writer.finish()
        }
    }

    package mutating func append(texts: [String?]) {
        array(of: .text) { for text in texts { $0.append(text: text) } }
    }

    package mutating func append(byteas: [[UInt8]?]) {
        array(of: .bytea) { for bytes in byteas { $0.append(bytes: bytes) } }
    }

    package mutating func append(jsons: [[UInt8]?]) {
        array(of: .json) { for json in jsons { $0.append(json: json) } }
    }

    package mutating func append(bools: [Bool?]) {
        array(of: .bool) { for bool in bools { $0.append(bool: bool) } }
    }

    package mutating func append(int2s: [Int16?]) {
        array(of: .int2) { for int in int2s { $0.append(int2: int) } }
    }

    package mutating func append(int4s: [Int32?]) {
        array(of: .int4) { for int in int4s { $0.append(int4: int) } }
    }

    package mutating func append(int8s: [Int64?]) {
        array(of: .int8) { for int in int8s { $0.append(int8: int) } }
    }

    package mutating func append(uuids: [(high: UInt64, low: UInt64)?]) {
        array(of: .uuid) { for uuid in uuids { $0.append(uuid: uuid) } }
    }

    /// Binds a `timestamptz[]` given in microseconds since the Unix epoch.
    package mutating func append(timestamps: [Int64?]) {
        array(of: .timestamptz) { for time in timestamps { $0.append(timestamp: time) } }
    }
}
