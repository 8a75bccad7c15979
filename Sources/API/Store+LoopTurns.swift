package import HTTPServer
import Postgres
package import Store

extension Turn: LoopTurns {}

extension Store {
    /// For `ServerConfiguration.turns`: each event loop reads by itself what its handlers ask the store for, as long as the store has
    /// a connection for it and all goes well.
    package var turns: @Sendable () -> any LoopTurns { { self.turn() } }
}
