// What a transport does, of which there are two: `Transport` over sockets on Linux, and over URLSession elsewhere. Each
// carries out requests to one server, and reports what happens on a serial queue of its owner. Redirects are not
// followed, since a redirect could carry the token to another host.

import TraitClientCore

/// What happens to a request, in this order.
enum TransferEvent {
    /// The request has its turn. Until then it waits for those before it.
    case begun
    case head(AnswerHead)
    case data(ArraySlice<UInt8>)
    /// Without a reason the body is complete; with one the connection was lost.
    case end(String?)
}

typealias TransferReceiver = @Sendable (TransferEvent) -> Void
