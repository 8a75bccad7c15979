/// How the database's schema stands to this program's migrations.
package struct MigrationStatus: Sendable {
    /// Numbers applied, in order.
    package var applied: [Int32] = []
    /// Migrations that would be applied now, in order.
    package var pending: [Migration] = []
    /// What forbids applying them.
    package var problem: MigrationError?

    /// Nothing is left to do and nothing is wrong.
    package var isUpToDate: Bool { pending.isEmpty && problem == nil }
}
