import Testing

@testable import Postgres

func scratch() throws -> ConnectionSettings { try TestCluster.settings() }

@Suite struct ConnectionTests {
    static let one = Statement("one", "select $1::int8", parameterTypes: [.int8])
    static let bad = Statement("bad", "select 1 / $1::int4", parameterTypes: [.int4])
    static let echo = Statement("echo", "select $1::bytea", parameterTypes: [.bytea])

    @Test func selects() throws {
        let connection = try Connection(scratch())
        for value in [Int64.min, -1, 0, 7, .max] {
            var parameters = Parameters()
            parameters.append(int8: value)
            #expect(try connection.run(Self.one, parameters)[0].int8(0) == value)
        }
    }

    @Test func failsMidFlight() throws {
        let connection = try Connection(scratch())
        var flight = Flight()
        flight.simple(.begin)
        var seven = Parameters()
        seven.append(int8: 7)
        flight.add(Self.one, seven)
        var zero = Parameters()
        zero.append(int4: 0)
        flight.add(Self.bad, zero)
        flight.simple(.commit)
        let error = #expect(throws: DatabaseError.self) { try connection.run(flight) }
        #expect(error?.sqlState == "22012")
        #expect(!connection.isInTransaction)
        #expect(try connection.run(Self.one, seven)[0].int8(0) == 7)
    }

    @Test(.timeLimit(.minutes(1))) func largeBothWays() throws {
        let connection = try Connection(scratch())
        var flight = Flight()
        let big = [UInt8](repeating: 7, count: 4_000_000)
        for _ in 0..<10 {
            var parameters = Parameters()
            parameters.append(bytes: big)
            flight.add(Self.echo, parameters)
        }
        let results = try connection.run(flight)
        #expect(results.count == 10)
        for result in results { #expect(try result[0].bytes(0) == big) }
    }
}
