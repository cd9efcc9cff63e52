// Percent-decoding happens after a path is split, never before: an encoded slash is data.

/// What a piece of a target is, which decides what may be encoded in it.
package enum PercentContext: Sendable {
    /// One segment of a path. An encoded `/`, `\` or NUL is refused: some other program on the way
    /// might take it for structure.
    case pathSegment
    /// A name or value in a query. `+` is a space; an encoded NUL is refused.
    case query
}

/// Appends the decoded piece to `out`; on an error nothing is appended.
package func percentDecode(
    _ piece: UnsafeRawBufferPointer, _ context: PercentContext, into out: OutputBuffer
) throws(WireError) {}
