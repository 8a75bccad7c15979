/// Runs reads in batches on a few threads, each owning one connection.
///
/// Any thread may call it. Reads change nothing, so a lost connection means reading again, once.
package final class ReaderPool<Handler: ReadHandler>: ConnectionPool {
    package let core: PoolCore<Handler.Item>

    /// Starts connecting at once and keeps trying; items handed in meanwhile wait until their deadlines.
    package init(
        _ settings: PoolSettings, handler: Handler,
        observe: @escaping @Sendable (PoolObservation) -> Void = { _ in }
    ) {
        var settings = settings
        settings.losses = 2
        core = PoolCore(settings, observe: observe) { handler.fail($0, $1) }
        let started = core.start { core in
            PoolThread(core) { items, _, connection in
                do throws(DatabaseError) {
                    try handler.read(items, on: connection)
                    connection.leaveTransaction()
                    return .told
                } catch {
                    connection.leaveTransaction()
                    return Verdict(error, isOpen: connection.isOpen)
                }
            }.run()
        }
        if started == 0 { core.mailbox.close() }
    }
}
