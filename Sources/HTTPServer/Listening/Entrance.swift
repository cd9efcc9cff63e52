// The way by which a connection was accepted, which decides the requests that it may make.

/// What a connection is for.
package enum Entrance: UInt8, Sendable {
    /// Everything.
    case open
    /// Health alone, because there is no room for other connections. One request, then it is closed.
    case reserved
    /// Health alone, because it came by an address for that.
    case health
}
