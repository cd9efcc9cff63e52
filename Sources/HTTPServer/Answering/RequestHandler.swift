// The interface between the server and the service behind it.

import HTTPWire

/// Answers requests. One object serves all shards, so it guards its own state.
package protocol RequestHandler: AnyObject, Sendable {
    /// A whole request has arrived, body included. Called on the shard's queue, which waits:
    /// exactly one of `send`, `work`, `park` and `stream` must have been called on return.
    func handle(_ exchange: Exchange)

    /// The head of a request has arrived, and its body has not, or has a content coding that is not
    /// undone yet. Called on the shard's queue, at most once for each request, before `100 Continue` is
    /// sent and before a byte of the body is decompressed. Sending an answer refuses the body; if that
    /// is not all there, the rest of it is not read, and the connection ends. `leaveBody` has the request
    /// handled without it. Without either the body is read and decompressed, and then `handle` is
    /// called. For other requests `handle` is called without this call before it.
    func expectBody(_ exchange: Exchange)

    /// The server cannot accept a request, or cannot hold its answer. Must call `exchange.send`. After
    /// a request that was not accepted, the connection is closed once that answer has had time to
    /// arrive. The request's head may be missing: then `method` is `.other`, `path` is empty and there
    /// are no fields.
    func refuse(_ refusal: WireError, _ exchange: Exchange)

    /// A turn of a shard is over. Its answers have been passed to the system, except for bytes that
    /// sockets had no room for. Called on the shard's queue. Work that a handler does once for many
    /// requests belongs here.
    ///
    /// - Parameters:
    ///   - shard: `Exchange.shard` of the requests that were handled in it.
    ///   - now: monotonic nanoseconds at the end of the turn.
    func turnEnded(shard: Int, now: UInt64)

    /// A turn of a shard took at least `slowTurnMicrosecondsMin` on its processor. Called on the shard's
    /// queue, before `turnEnded`.
    func turnWasSlow(shard: Int, _ turn: SlowTurn)
}

extension RequestHandler {
    /// Takes every body.
    package func expectBody(_ exchange: Exchange) {}

    /// Does nothing.
    package func turnEnded(shard: Int, now: UInt64) {}

    /// Does nothing.
    package func turnWasSlow(shard: Int, _ turn: SlowTurn) {}
}
