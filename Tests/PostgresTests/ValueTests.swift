import Testing

@testable import Postgres

/// Every type goes to the server and comes back, and the server agrees on what it was.
@Suite struct ValueTests {
    @Test func scalars() throws {
        let connection = try TestCluster.connect()
        let statement = Statement(
            "scalars",
            """
            select $1::bool, $2::int2, $3::int4, $4::int8, $5::text, $6::uuid, $7::timestamptz, $8::bytea, $9::json,
                   $9::json::jsonb, $2::text, $6::text, to_char($7, 'YYYY-MM-DD HH24:MI:SS.US'), $8::text
            """,
            parameterTypes: [.bool, .int2, .int4, .int8, .text, .uuid, .timestamptz, .bytea, .json])
        var parameters = Parameters()
        parameters.append(bool: true)
        parameters.append(int2: -2)
        parameters.append(int4: .min)
        parameters.append(int8: .max)
        parameters.append(text: "é\u{301}\n'\\ 🜁")
        parameters.append(uuid: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210))
        parameters.append(timestamp: 1_700_000_000_123_456)
        parameters.append(bytes: [0, 255, 10])
        parameters.append(json: Array(#"{"a": 1}"#.utf8))
        let row = try connection.run(statement, parameters)[0]
        #expect(try row.bool(0))
        #expect(try row.int2(1) == -2)
        #expect(try row.int4(2) == .min)
        #expect(try row.int8(3) == .max)
        #expect(try Array(row.text(4).utf8) == Array("é\u{301}\n'\\ 🜁".utf8))
        #expect(try row.uuid(5) == (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210))
        #expect(try row.timestamp(6) == 1_700_000_000_123_456)
        #expect(try row.bytes(7) == [0, 255, 10])
        #expect(try row.json(8) == Array(#"{"a": 1}"#.utf8))
        #expect(try row.json(9) == Array(#"{"a": 1}"#.utf8))
        #expect(try row.text(10) == "-2")
        #expect(try row.text(11) == "01234567-89ab-cdef-fedc-ba9876543210")
        #expect(try row.text(12) == "2023-11-14 22:13:20.123456")
        #expect(try row.text(13) == #"\x00ff0a"#)
        #expect(row.withBytes(4) { $0.count } == 12)
    }

    @Test func nulls() throws {
        let connection = try TestCluster.connect()
        let statement = Statement(
            "nulls",
            """
            select $1::bool, $2::int2, $3::int4, $4::int8, $5::text, $6::uuid, $7::timestamptz, $8::bytea, $9::json,
                   $10::text[]
            """,
            parameterTypes: [.bool, .int2, .int4, .int8, .text, .uuid, .timestamptz, .bytea, .json, .textArray])
        var parameters = Parameters()
        parameters.append(bool: nil)
        parameters.append(int2: nil)
        parameters.append(int4: nil)
        parameters.append(int8: nil)
        parameters.append(text: nil)
        parameters.append(uuid: nil)
        parameters.append(timestamp: nil)
        parameters.append(bytes: nil)
        parameters.append(json: nil)
        parameters.appendNull()
        let row = try connection.run(statement, parameters)[0]
        for column in 0..<10 { #expect(row.isNull(column)) }
        #expect(try row.boolOrNil(0) == nil)
        #expect(try row.int2OrNil(1) == nil)
        #expect(try row.int4OrNil(2) == nil)
        #expect(try row.int8OrNil(3) == nil)
        #expect(try row.textOrNil(4) == nil)
        #expect(try row.uuidOrNil(5) == nil)
        #expect(try row.timestampOrNil(6) == nil)
        #expect(try row.bytesOrNil(7) == nil)
        #expect(try row.jsonOrNil(8) == nil)
        #expect(throws: DatabaseError.self) { try row.int8(3) }
        #expect(throws: DatabaseError.self) { try row.texts(9) }
    }

    @Test func arrays() throws {
        let connection = try TestCluster.connect()
        let statement = Statement(
            "arrays",
            """
            select $1::text[], $2::uuid[], $3::int8[], $4::int4[], $5::int2[], $6::bool[], $7::timestamptz[],
                   $8::bytea[], $9::json[], $1::text, array_length($3, 1)
            """,
            parameterTypes: [
                .textArray, .uuidArray, .int8Array, .int4Array, .int2Array, .boolArray, .timestamptzArray,
                .byteaArray, .jsonArray,
            ])
        var parameters = Parameters()
        parameters.append(texts: ["a", nil, "", "ü,\"{}"])
        parameters.append(uuids: [(1, 2), nil])
        parameters.append(int8s: [.min, nil, .max])
        parameters.append(int4s: [1, nil])
        parameters.append(int2s: [nil, 3])
        parameters.append(bools: [true, nil, false])
        parameters.append(timestamps: [0, nil, -1, 1_700_000_000_000_001])
        parameters.append(byteas: [[], nil, [0]])
        parameters.append(jsons: [Array("[1]".utf8), nil])
        let row = try connection.run(statement, parameters)[0]
        #expect(try row.texts(0) == ["a", nil, "", "ü,\"{}"])
        let uuids = try row.uuids(1)
        #expect(uuids.count == 2 && uuids[0]?.high == 1 && uuids[0]?.low == 2 && uuids[1] == nil)
        #expect(try row.int8s(2) == [.min, nil, .max])
        #expect(try row.int4s(3) == [1, nil])
        #expect(try row.int2s(4) == [nil, 3])
        #expect(try row.bools(5) == [true, nil, false])
        #expect(try row.timestamps(6) == [0, nil, -1, 1_700_000_000_000_001])
        #expect(try row.byteas(7) == [[], nil, [0]])
        #expect(try row.jsons(8) == [Array("[1]".utf8), nil])
        #expect(try row.text(9) == #"{a,NULL,"","ü,\"{}"}"#)
        #expect(try row.int4(10) == 3)
    }

    @Test func emptyArraysAndTexts() throws {
        let connection = try TestCluster.connect()
        let statement = Statement(
            "empties", "select $1::text[], $2::uuid[], $3::text, cardinality($1), $4::bytea, array_ndims($1)",
            parameterTypes: [.textArray, .uuidArray, .text, .bytea])
        var parameters = Parameters()
        parameters.append(texts: [])
        parameters.append(uuids: [])
        parameters.append(text: "")
        parameters.append(bytes: [])
        let row = try connection.run(statement, parameters)[0]
        #expect(try row.texts(0) == [])
        #expect(try row.uuids(1).isEmpty)
        #expect(try row.text(2) == "")
        #expect(try row.int4(3) == 0)
        #expect(try row.bytes(4) == [])
        #expect(row.isNull(5))
    }

    /// The only value is empty: the buffer has no address, yet the value is not null.
    @Test func emptyTextAlone() throws {
        var parameters = Parameters(capacity: 0)
        parameters.append(text: "")
        let row = try TestCluster.connect().run(
            Statement("lonely", "select $1::text is null", parameterTypes: [.text]), parameters)[0]
        #expect(try !row.bool(0))
    }

    @Test func streamedArray() throws {
        var parameters = Parameters()
        parameters.append(int4: 7)
        parameters.array(of: .int8) { for number in 0..<10_000 { $0.append(int8: Int64(number)) } }
        parameters.append(text: "after")
        let row = try TestCluster.connect().run(
            Statement(
                "streamed", "select sum(n)::int8, $1, $3::text from unnest($2::int8[]) n",
                parameterTypes: [.int4, .int8Array, .text]), parameters)[0]
        #expect(try row.int8(0) == 49_995_000)
        #expect(try row.int4(1) == 7)
        #expect(try row.text(2) == "after")
    }

    @Test func infiniteTimes() throws {
        var parameters = Parameters()
        parameters.append(timestamp: .max)
        parameters.append(timestamp: .min)
        let row = try TestCluster.connect().run(
            Statement(
                "infinities",
                "select 'infinity'::timestamptz, '-infinity'::timestamptz, $1 = 'infinity', $2 = '-infinity'",
                parameterTypes: [.timestamptz, .timestamptz]), parameters)[0]
        #expect(try row.timestamp(0) == .max)
        #expect(try row.timestamp(1) == .min)
        #expect(try row.bool(2))
        #expect(try row.bool(3))
    }

    @Test func transactionIdentifier() throws {
        let row = try TestCluster.connect().run(
            Statement("xid", "select pg_current_xact_id(), pg_current_xact_id()::text::int8"))[0]
        #expect(try Int64(row.xid8(0)) == row.int8(1))
    }

    /// Asking for what is not there is a refusal, never a read past the end.
    @Test func wrongQuestions() throws {
        let result = try TestCluster.connect().run(
            Statement("wrong", "select 1::int4, array[[1,2],[3,4]]::int4[], 'x'::text"))
        #expect(throws: DatabaseError.self) { try result[0].int8(0) }
        #expect(throws: DatabaseError.self) { try result[0].int4s(1) }
        #expect(throws: DatabaseError.self) { try result[0].texts(2) }
        #expect(throws: DatabaseError.self) { try result[0].text(3) }
        #expect(throws: DatabaseError.self) { try result[0].text(-1) }
        #expect(throws: DatabaseError.self) { try result[1].int4(0) }
        #expect(throws: DatabaseError.self) { try result[-1].int4(0) }
        #expect(result[9].isNull(0))
    }

    @Test func rowsInOrder() throws {
        let result = try TestCluster.connect().run(
            Statement("series", "select n from generate_series(1, 1000) n"))
        #expect(result.count == 1000)
        #expect(result.affectedRows == 1000)
        #expect(result.commandTag == "SELECT 1000")
        #expect(try result.map { try $0.int4(0) } == Array(1...1000))
    }
}
