// The way by which a connection was accepted, which decides the requests that it may make.

/// The requests that a connection may make.
@usableFromInline
package enum Entrance: UInt8, Sendable {
    /// All requests.
    case open
    /// Health only, because no other connection is admitted. The connection is closed after one request.
    case reserved
    /// Health only, because the connection came in on an address for health.
    case health
}
