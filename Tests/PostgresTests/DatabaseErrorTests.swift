import Testing

@testable import Postgres

@Suite struct DatabaseErrorTests {
    /// A caller's id in a violated key shows in the words for a terminal only, however the error is wrapped.
    @Test func silentAndLoud() throws {
        try TestCluster.execute(
            "drop table if exists guarded; create table guarded (id text constraint guarded_key primary key)")
        let connection = try TestCluster.connect()
        let insert = Statement("guard", "insert into guarded values ($1)", parameterTypes: [.text])
        var parameters = Parameters()
        parameters.append(text: "child-17")
        #expect(try connection.run(insert, parameters).affectedRows == 1)
        let error = #expect(throws: DatabaseError.self) { try connection.run(insert, parameters) }
        let found = try #require(error)
        #expect(found.constraint == "guarded_key")
        #expect(found.sqlState == "23505")
        #expect(found.description == "database refused a statement (SQLSTATE 23505) on guarded_key")
        #expect(found.debugDescription.contains("child-17"))
        #expect(found.connectMessage == nil)
        for failure in [BatchFailure.poisoned(found), .unavailable(found)] {
            #expect(!"\(failure)".contains("child-17"))
            #expect(!String(reflecting: failure).contains("child-17"))
        }
    }

    @Test(arguments: [
        ("40001", true), ("40P01", true), ("55P03", true), ("57P01", true), ("57P03", true), ("25006", true),
        ("53300", true), ("08006", true), ("23505", true), ("23514", false), ("22012", false), ("57014", false),
        ("40000", false),
    ])
    func retryableStates(state: String, isRetryable: Bool) {
        #expect(DatabaseError(.server, sqlState: state, detail: "").isRetryable == isRetryable)
    }
}
