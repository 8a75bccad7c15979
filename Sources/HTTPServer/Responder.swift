/// What the server asks of whoever answers the requests.
package protocol Responder: Sendable {
    /// How many bytes of body this request may have; asked once its head is in, on libmicrohttpd's thread: never blocks.
    func bodyLimit(of head: RequestHead) -> Int

    /// How much longer than the total time the answer may take, where the request asked to wait for something; asked beside the
    /// body's limit: never blocks.
    func extraTime(of head: RequestHead) -> Duration

    /// The answer. It runs on the thread of the loop that read the request, before and after every wait, so it must neither block
    /// nor compute for long. The task is cancelled when the answer can no longer be sent.
    func respond(to request: Request) async -> Response

    /// The answer to a fault the server found itself. Called on threads that serve others too: never blocks. `head` is absent
    /// while no head could be read, and its path and query are empty when the target is the fault.
    func refuse(_ fault: Fault, head: RequestHead?) -> Response

    /// One exchange is over; called once for each, on libmicrohttpd's thread: never blocks.
    func finished(_ record: ExchangeRecord)
}

extension Responder {
    package func extraTime(of head: RequestHead) -> Duration { .zero }
}
