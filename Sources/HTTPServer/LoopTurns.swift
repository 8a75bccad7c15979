/// What else is done on an event loop's thread, in turns with its sockets. All of it is called on that thread.
package protocol LoopTurns {
    /// Runs one turn of the loop, which is a look at all its sockets and at all that its handlers waited for.
    func run(_ turn: () -> Void)
    /// What ends the loop's sleep when it becomes readable, like the sockets do; negative for nothing.
    var descriptor: Int32 { get }
    /// How many milliseconds the loop may sleep at the most; negative for as long as nothing happens.
    var patience: Int32 { get }
    /// The last turn is over.
    func end()
}

/// Nothing else.
struct OnlyTurns: LoopTurns {
    func run(_ turn: () -> Void) { turn() }
    var descriptor: Int32 { -1 }
    var patience: Int32 { -1 }
    func end() {}
}
